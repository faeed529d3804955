package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.Test;

/** E205, E206: children publish, find the door closed to strangers, and leave nothing behind. */
@Gate
class ChildPublishGate {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long FRAME_MS = 10_000;
    /** So long that a frame's time counted from here would be seen to end too late. */
    private static final long DRIP_MS = 6000;

    @Test
    void linesOfStdinReachTheStreamsOfBothLoops() {
        try (ServerProcess server = hostCheck().set("M0_THREADS", "2").start();
                LoopStreamPair streams = new LoopStreamPair(server, "/events?channel=news")) {
            Path door = ChildPublisher.door(server);
            ChildPublisher.Ended ended = ChildPublisher.run(door, "one\ntwo\n\nlast", "news",
                    "--event", "line");
            assertEquals(0, ended.exit(), ended.stderr());
            assertTrue(ended.stderr().startsWith("publish: ok published=4 first="),
                    ended.stderr());
            assertTrue(ended.stderr().endsWith(" refused=0\n"), ended.stderr());
            for (int loop = 0; loop < 2; loop++) {
                assertEquals(List.of("one", "two", "", "last"), streams.data(loop, 4),
                        "loop " + loop);
            }
        }
    }

    @Test
    void whatIsWrongIsToldByTheExitCode() {
        try (ServerProcess server = hostCheck().start()) {
            Path door = ChildPublisher.door(server);
            expect(1, "publish: cut published=0 channels that begin with byte 0x01 are reserved",
                    ChildPublisher.run(door, "x\n", "\u0001news"));
            expect(2, "publish: no channel is named", ChildPublisher.run(door, "x\n"));
            expect(78, "publish: M0_INTERNAL_PUBLISH is not set",
                    ChildPublisher.run(null, "x\n", "news"));
            server.term();
            assertEquals(0, server.awaitExit(BOUND));
            expect(1, "publish: the host is gone", ChildPublisher.run(door, "x\n", "news"));
        }
    }

    @Test
    void theDoorIsPrivateAndGoneAtTheEnd() throws IOException {
        try (ServerProcess server = hostCheck().start()) {
            Path directory = ChildPublisher.door(server).getParent();
            assertEquals("rwx------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
            server.term();
            assertEquals(0, server.awaitExit(BOUND));
            assertFalse(Files.exists(directory), "left behind: " + directory);
        }
    }

    @Test
    void theDoorIsGoneBehindARefusedStartASecondSignalAndADeadLoopToo() {
        try (ServerProcess refused =
                hostCheck().set("M0_HOSTCHECK_PRODUCER_RAISES", "1").launch()) {
            assertEquals(78, refused.awaitExit(BOUND));
            assertFalse(Files.exists(ChildPublisher.door(refused).getParent()), "refused start");
        }
        try (ServerProcess server = hostCheck().set("M0_DRAIN_TIMEOUT_MS", "60000").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n");
            client.awaitTaken();
            // One that comes with the first is no second, and nobody tells when that was handled.
            for (int count = 0; count < 30 && server.isAlive(); count++) {
                server.term();
                ServerProcess.pause(300);
            }
            assertEquals(1, server.awaitExit(BOUND));
            assertFalse(Files.exists(ChildPublisher.door(server).getParent()), "second signal");
        }
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_LOOP_ERROR", "1").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /error HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals(1, server.awaitExit(BOUND));
            assertFalse(Files.exists(ChildPublisher.door(server).getParent()), "dead loop");
        }
    }

    @Test
    void anApplicationThatNeverAsksHasNoDoor() {
        try (ServerProcess server = ServerProcess.app("host_check").start()) {
            assertEquals(List.of(), server.temporaryFiles(), "a door that nobody asked for");
        }
    }

    @Test
    void garbageCutsOffItsSenderAlone() {
        try (ServerProcess server = hostCheck().start();
                ChildPublisher other = ChildPublisher.connect(server);
                ChildPublisher huge = ChildPublisher.connect(server);
                ChildPublisher text = ChildPublisher.connect(server);
                RawClient client = RawClient.connect(server)) {
            other.send("news", "", "before");
            assertEquals("cut published=0 a frame's length is 4294967295, not 3 to 66048\n",
                    huge.send(new byte[] {-1, -1, -1, -1}).answer());
            assertEquals("cut published=0 a frame's length is 1195725856, not 3 to 66048\n",
                    text.send(RawClient.bytes("GET / HTTP/1.1\r\n\r\n")).answer());
            client.get("/health").expect(200);
            other.send("news", "", "behind");
            assertEquals("ok published=2", other.end().substring(0, 14));
            ServerProcess.await("two lines of who was cut off", RawClient.WAIT,
                    () -> server.stderrLinesWith("host: a child that publishes was cut off: "
                            + "a frame's length is") == 2);
        }
    }

    @Test
    void aFrameThatDripsIsCutOffAndHoldsNobody() {
        byte[] frame = ChildPublisher.frame("news", "", new byte[1000]);
        try (ServerProcess server = hostCheck().start();
                ChildPublisher slow = ChildPublisher.connect(server);
                ChildPublisher other = ChildPublisher.connect(server)) {
            long sinceNs = System.nanoTime();
            int sent = 0;
            // A bound for the silence between two bytes would end later than a frame's may.
            while ((System.nanoTime() - sinceNs) / 1_000_000L < DRIP_MS) {
                slow.send(new byte[] {frame[sent]});
                ServerProcess.pause(500);
                sent++;
                if (sent == 4) {
                    assertEquals("ok published=1",
                            other.send("news", "", "x").end().substring(0, 14));
                }
            }
            assertTrue(sent >= 4, "vacuous: no more than " + sent + " bytes were sent");
            assertEquals("cut published=0 a frame was not complete after 10000 ms\n",
                    slow.answer());
            long ms = (System.nanoTime() - sinceNs) / 1_000_000L;
            assertTrue(ms >= FRAME_MS && ms <= Slack.notAfterMs(FRAME_MS), "cut after " + ms);
            // The line has a thread of its own, and may come behind the answer.
            server.awaitStderr("a child that publishes was cut off", RawClient.WAIT);
            assertEquals(1, server.stderrLinesWith("a child that publishes was cut off"),
                    server.stderr());
        }
    }

    private static void expect(int exit, String words, ChildPublisher.Ended ended) {
        assertEquals(exit, ended.exit(), ended.stderr());
        assertTrue(ended.stderr().startsWith(words), ended.stderr());
    }

    private static ServerProcess.Plan hostCheck() {
        return ServerProcess.app("host_check").set("M0_HOSTCHECK_TELL_DOOR", "1");
    }
}
