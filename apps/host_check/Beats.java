package host_check;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.app.HostContext;
import m0.app.Producer;

/**
 * The one producer: a beat a step, {@code {"beat":N,"pid":P}} with the process it runs in.
 *
 * <p>N counts in the shared page, not in the producer, so that one in a replaced process goes on
 * where the last one ended. Nobody can know an event's id before it is published; but while only
 * beats are published, the id of each is its number, since both begin at 1 and rise by 1.
 *
 * <p>Threads: the producer's. Errors: the step that the knob names throws.
 */
final class Beats implements Producer {
    static final String CHANNEL = "beats";
    static final String EVENT = "beat";

    private final HostContext context;
    private final Knobs knobs;
    private final long pid = ProcessHandle.current().pid();
    private int steps;

    Beats(HostContext context, Knobs knobs) {
        this.context = context;
        this.knobs = knobs;
    }

    @Override
    public long step() throws InterruptedException {
        steps++;
        if (steps == knobs.stepRaisesAt()) {
            throw new IllegalStateException("step " + steps + " was asked to throw");
        }
        long beat = context.page().add(HostCheck.BEATS_WORD, 1);
        byte[] data = ("{\"beat\":" + beat + ",\"pid\":" + pid + "}")
                .getBytes(StandardCharsets.US_ASCII);
        context.publisher().publish(CHANNEL, EVENT, ByteBuffer.wrap(data));
        if (knobs.stepMs() > 0) {
            Thread.sleep(knobs.stepMs());
        }
        return knobs.periodMs() * 1_000_000L;
    }

    @Override
    public void close() {
        if (knobs.tellsClose()) {
            System.err.println("host_check: producer closed after " + steps + " steps");
        }
    }
}
