package kind;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import load.Asker;
import load.Blockers;
import load.ClosedLoop;
import load.OneAnswer;
import process.Arm;
import process.ServerProcess;

/**
 * A server of <em>pool_spike</em> on both cores, with a lane or without, and what is asked of it.
 *
 * <p>Its answers say which thread gave them, so a lane here has ten threads at most: all answers of
 * a route then have one size.
 */
final class Spike implements AutoCloseable {
    static final String CORES = "0,1";
    static final String FAST = "/fast";
    /** How long a blocker keeps its thread. */
    static final int BLOCK_MS = 400;
    static final String SLOW = "/slow?ms=" + BLOCK_MS;
    /** Between an answer and the next request: long enough for idle threads to park. */
    static final int GAP_MS_MIN = 1;
    static final int GAP_MS_MAX = 9;

    private static final Load WARM = new Load(4, 1, 0);
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerProcess server;
    private final int fastBytes;

    private Spike(ServerProcess server) throws IOException {
        this.server = server;
        this.fastBytes = answerBytes(FAST);
    }

    /** An arm with so many pool threads behind its one loop. */
    static Arm arm(Stage stage, String name, int threads) {
        return stage.ours(name).with(name, Map.of("M0_APP", "pool_spike", "M0_BLOCKING_THREADS",
            String.valueOf(threads)));
    }

    /** Starts it and drives its fast route for so long. */
    static Spike start(Arm arm, long warmNs) throws IOException {
        ServerProcess server = ServerProcess.start(arm, CORES);
        try {
            try (ClosedLoop loop = load(server, WARM)) {
                loop.runFor(warmNs);
            }
            return new Spike(server);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /** A closed loop over the fast route of such a server. */
    static ClosedLoop load(ServerProcess server, Load load) throws IOException {
        byte[] request = request(FAST);
        int answerBytes = OneAnswer.fetch(server.address(), request).length;
        return new ClosedLoop(server.address(), load.connections(), load.depth(), request,
            answerBytes);
    }

    /** So many connections that ask for a target again and again, and have begun to. */
    Blockers blockers(int count, String target) throws IOException {
        int bytes = count == 0 ? 0 : answerBytes(target);
        Blockers blockers = new Blockers(server.address(), count, request(target), bytes);
        LockSupport.parkNanos(LEAD_NS);
        return blockers;
    }

    /** A connection that asks for a target. */
    Asker asker(String target) throws IOException {
        return new Asker(server.address(), request(target), answerBytes(target));
    }

    /**
     * Asks for the fast route on one connection, with gaps of random length.
     *
     * @param count      how often at most
     * @param durationNs how long at most; no request is begun behind it, but one is made
     * @return milliseconds of each
     */
    List<Double> fastMs(Random random, int count, long durationNs) throws IOException {
        int gapUsMin = (int) TimeUnit.MILLISECONDS.toMicros(GAP_MS_MIN);
        int gapUsMax = (int) TimeUnit.MILLISECONDS.toMicros(GAP_MS_MAX);
        List<Double> samples = new ArrayList<>();
        try (Asker asker = new Asker(server.address(), request(FAST), fastBytes)) {
            long startNs = System.nanoTime();
            do {
                int gapUs = gapUsMin + random.nextInt(gapUsMax - gapUsMin);
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(gapUs));
                samples.add(asker.askNs() / 1e6);
            } while (samples.size() < count && System.nanoTime() - startNs < durationNs);
        }
        return samples;
    }

    private int answerBytes(String target) throws IOException {
        return OneAnswer.fetch(server.address(), request(target)).length;
    }

    private static byte[] request(String target) {
        return ("GET " + target + " HTTP/1.1\r\nHost: m0.example\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        server.close();
    }
}
