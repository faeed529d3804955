package m0.bus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import m0.loop.Clock;
import m0.page.Page;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A worker in a JVM of its own: {@code DIRECTORY WORKERS WORKER ORDER}, and what it must do when a
 * line comes. It never ends by itself while its parent lives.
 */
final class BusPeer {
    /** Publishes that many and says what it has read. */
    static final String TALK = "talk";
    /** Publishes until it is killed. */
    static final String STORM = "storm";
    /** Stands in the critical section, having served the first ring alone. */
    static final String HALF = "half";

    private BusPeer() {
    }

    /** Starts one; its end is the caller's. */
    static Process start(Path directory, int workers, int worker, String order)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-Xmx64m",
                "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), BusPeer.class.getName(),
                directory.toString(), Integer.toString(workers), Integer.toString(worker), order));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    static BufferedReader said(Process peer) {
        return new BufferedReader(
                new InputStreamReader(peer.getInputStream(), StandardCharsets.UTF_8));
    }

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int workers = Integer.parseInt(args[1]);
        int worker = Integer.parseInt(args[2]);
        String[] order = args[3].split(" ");
        if (order[0].equals(HALF)) {
            standHalfWay(directory, workers, worker);
        } else {
            try (ReaderLoop reader = new ReaderLoop(directory, workers, worker, 0).start()) {
                talk(reader, order);
            }
        }
        System.out.flush();
        // Until the parent ends, or ends this.
        while (System.in.read() >= 0) {
            continue;
        }
        Runtime.getRuntime().halt(0);
    }

    private static void talk(ReaderLoop reader, String[] order) throws Exception {
        System.out.println("ready");
        System.in.read();
        boolean storm = order[0].equals(STORM);
        int count = storm ? Integer.MAX_VALUE : Integer.parseInt(order[1]);
        ByteBuffer data = ByteBuffer.allocate(storm ? 3000 : 8);
        for (int done = 0; done < count; done++) {
            reader.publish(data);
            if (storm && done % 64 == 0) {
                reader.check();
            }
        }
        long end = storm ? Long.MAX_VALUE : Long.parseLong(order[2]);
        reader.awaitId(end, 60_000);
        FrameOrder seen = reader.order;
        System.out.println("frames=" + seen.frames + " missing=" + seen.absent() + " last="
                + seen.last + " wrong=" + seen.wrong + " refused=" + reader.refused);
    }

    private static void standHalfWay(Path directory, int workers, int worker) throws Exception {
        Page page = Page.open(directory.resolve(Page.FILE), workers, 0, 0);
        SharedRings rings = SharedRings.open(directory, page);
        SystemLives.sit(page.seat(worker));
        PublishTurn turn = new PublishTurn(page, page.seat(worker), new SystemLives(),
                Clock.SYSTEM, PublishTurn.Pause.PARK, rings::settle);
        UnsafeBuffer frame =
                new UnsafeBuffer(ByteBuffer.allocateDirect(FrameLayout.FRAME_BYTES_MAX));
        int length = FrameDraft.of("news", "half", ByteBuffer.allocate(8)).encodeInto(frame);
        if (!turn.tryEnter()) {
            throw new AssertionError("somebody is in the way");
        }
        long id = page.lastEventId() + 1;
        page.lastEventId(id);
        frame.putLong(FrameLayout.ID, id);
        rings.ring(0).offer(frame, length, id);
        System.out.println("inside");
    }
}
