package static_files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import kit.Ending;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** J204: a large file costs no memory, and one that becomes another is never sent as this one. */
@Gate
class LargeFileGate {
    private static final int MEBIBYTES = 192;
    /** Half of the file: far from what a JVM within bounds of 48 MiB takes while it warms up. */
    private static final double GROWTH_MAX_MIB = 96;
    private static final int WINDOW_BYTES = 64 * 1024;

    @TempDir
    private Path outside;

    @Test
    void aHundredAndNinetyTwoMebibytesTakeNoMemory() {
        Site site = new Site(outside);
        site.large("large.bin", MEBIBYTES);
        try (ServerProcess server = site.plan()
                .jvm("-XX:+UseSerialGC", "-Xmx32m", "-XX:MaxDirectMemorySize=16m").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/a.txt").expect(200);
            long before = server.residentBytes();
            Reply head = Site.send(client, "GET", "/large.bin").readHead().expect(200);
            assertEquals(String.valueOf((long) MEBIBYTES << 20), head.header("Content-Length"));
            Site.readLarge(client, MEBIBYTES);
            double grownMib = (server.residentBytes() - before) / (double) (1 << 20);
            Figures.add(LargeFileGate.class, "resident memory grown by a file of " + MEBIBYTES
                    + " MiB", grownMib, "MiB", GROWTH_MAX_MIB);
            assertTrue(grownMib < GROWTH_MAX_MIB, "resident memory grew by " + grownMib + " MiB");
            client.get("/a.txt").expect(200).expectBody("0123456789");
        }
    }

    @Test
    void aRangeInTheMiddleOfALargeFileIsReadThere() {
        Site site = new Site(outside);
        site.large("large.bin", MEBIBYTES);
        try (ServerProcess server = site.plan().start();
                RawClient client = RawClient.connect(server)) {
            long from = 150L << 20;
            Reply part = Site.ask(client, "GET", "/large.bin",
                    "Range: bytes=" + from + "-" + (from + 9)).expect(206);
            assertEquals(10, part.body().length);
            assertEquals(150, part.body()[0] & 0xff, "the first byte of mebibyte 150");
        }
    }

    @Test
    void aFileThatIsTruncatedWhileItIsSentClosesItsConnection() throws IOException {
        Site site = new Site(outside);
        Path large = site.large("large.bin", MEBIBYTES);
        try (ServerProcess server = site.plan().start();
                RawClient client = RawClient.connectWithReceiveBuffer(server, WINDOW_BYTES)) {
            Site.send(client, "GET", "/large.bin").readHead().expect(200);
            Site.readLarge(client, 1);
            try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
                file.setLength(2 << 20);
            }
            Ending ending = client.readUntilClosed(RawClient.WAIT);
            assertTrue(ending.bytes().length < (long) (MEBIBYTES - 1) << 20,
                    "all bytes of a file that had lost them");
            try (RawClient other = RawClient.connect(server)) {
                other.get("/a.txt").expect(200).expectBody("0123456789");
                assertEquals(String.valueOf(2 << 20),
                        Site.ask(other, "HEAD", "/large.bin").header("Content-Length"));
            }
        }
    }

    @Test
    void aFileThatIsReplacedWhileItIsSentIsSentAsItWas() throws IOException {
        Site site = new Site(outside);
        Path large = site.large("large.bin", MEBIBYTES);
        try (ServerProcess server = site.plan().start();
                RawClient client = RawClient.connectWithReceiveBuffer(server, WINDOW_BYTES)) {
            Site.send(client, "GET", "/large.bin").readHead().expect(200);
            Path other = site.file("new.bin", "new");
            Files.move(other, large, StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
            Site.readLarge(client, MEBIBYTES);
            client.get("/large.bin").expect(200).expectBody("new");
        }
    }

    /**
     * Two files of different sizes take turns under one name as fast as they can be moved, so that many
     * are exchanged between the look at them and their opening.
     */
    @Test
    void whatIsReplacedBetweenTheLookAndTheOpeningIsNotSentUnderTheOldTag() throws Exception {
        Site site = new Site(outside);
        byte[] first = "A".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        byte[] second = "B".repeat(3000).getBytes(StandardCharsets.US_ASCII);
        Path name = site.file("turns.bin", "A".repeat(1000));
        var over = new AtomicBoolean();
        var mover = new Thread(() -> takeTurns(name, first, second, over));
        int answered = 0;
        try (ServerProcess server = site.plan().set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
                RawClient client = RawClient.connect(server)) {
            mover.start();
            for (int asked = 0; asked < 2000; asked++) {
                Reply reply = client.get("/turns.bin").expectOpen();
                if (reply.status() == 503) {
                    assertEquals("0", reply.header("Retry-After"), "when to ask again");
                    continue;
                }
                reply.expect(200);
                boolean isFirst = reply.header("ETag").startsWith("\"3e8-");
                assertArrayEquals(isFirst ? first : second, reply.body(),
                        "the bytes under the tag " + reply.header("ETag"));
                answered++;
            }
            assertTrue(answered > 0, "no answer in 2000 was a file");
            assertEquals(0, server.stderrLinesWith("turns.bin"),
                    "a file that is replaced is no failure");
        } finally {
            over.set(true);
            mover.join();
        }
    }

    private static void takeTurns(Path name, byte[] first, byte[] second, AtomicBoolean over) {
        Path next = name.resolveSibling("next.bin");
        try {
            for (int turn = 1; !over.get(); turn++) {
                Files.write(next, turn % 2 == 0 ? first : second);
                Files.move(next, name, StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException failure) {
            throw new AssertionError("a file that takes its turn: " + failure, failure);
        }
    }

    /** Whoever does not read holds neither the loop nor, where there is one, a pool thread. */
    @Test
    void clientsThatDoNotReadHoldUpNobody() {
        Site site = new Site(outside);
        site.large("large.bin", MEBIBYTES);
        for (String threads : List.of("0", "1")) {
            List<RawClient> stuck = new ArrayList<>();
            try (ServerProcess server = site.plan().set("M0_BLOCKING_THREADS", threads).start()) {
                for (int count = 0; count < 4; count++) {
                    RawClient client = RawClient.connectWithReceiveBuffer(server, WINDOW_BYTES);
                    stuck.add(client);
                    Site.send(client, "GET", "/large.bin").readHead().expect(200);
                }
                try (RawClient other = RawClient.connect(server)) {
                    for (int count = 0; count < 20; count++) {
                        other.get("/a.txt").expect(200).expectBody("0123456789");
                    }
                }
            } finally {
                stuck.forEach(RawClient::close);
            }
        }
    }
}
