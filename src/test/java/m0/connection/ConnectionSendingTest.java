package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import m0.http.FileState;
import m0.http.Response;
import m0.loop.ReadyWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionSendingTest {
    private static final String LARGE = new String(Answers.LARGE, StandardCharsets.ISO_8859_1);

    private final Answers answers = new Answers();
    private final Bench bench = new Bench(answers);
    private final ScriptedTransport peer = new ScriptedTransport();
    private final ReadyWork connection = bench.admit(peer);

    private static String get(String path) {
        return ConnectionAnswersTest.get(path);
    }

    private void read(long bytes) {
        peer.room = bytes;
        bench.run(connection, peer);
    }

    @Test
    void sendsALargeBodyInTurnsThatDoNotHoldTheLoop() {
        peer.send(get("/large"));
        bench.event(connection, peer);
        int first = peer.takeWritten().length();
        assertTrue(first < 512 * 1024, "one event sent " + first);
        assertTrue(peer.writeWanted);
        bench.run(connection, peer);
        assertEquals(LARGE.length(), first + peer.takeWritten().length() - headLength());
        assertFalse(peer.writeWanted);
        assertTrue(peer.readWanted);
    }

    private static int headLength() {
        return ("HTTP/1.1 200 OK\r\nServer: m0\r\nContent-Length: 1000000\r\n"
                + "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n").length();
    }

    @Test
    void sendsTheSameBytesWhateverTheSocketTakesAtOnce() {
        String requests = get("/a") + get("/large") + get("/b") + get("/s204") + get("/c");
        peer.send(requests);
        bench.run(connection, peer);
        String whole = peer.takeWritten();
        assertTrue(whole.contains(LARGE));
        for (int ration : new int[] {1_000, 7_777, 65_536, 65_537, 300_001}) {
            ScriptedTransport slow = new ScriptedTransport();
            ReadyWork other = bench.admit(slow);
            slow.room = ration;
            slow.send(requests);
            bench.run(other, slow);
            while (slow.writeWanted) {
                slow.room = ration;
                bench.run(other, slow);
            }
            assertEquals(whole, slow.takeWritten(), "ration " + ration);
        }
    }

    @Test
    void splitsSmallAnswersAtEveryByte() {
        String requests = get("/a") + get("/b");
        peer.send(requests);
        bench.run(connection, peer);
        String whole = peer.takeWritten();
        for (int split = 0; split < whole.length(); split++) {
            ScriptedTransport slow = new ScriptedTransport();
            ReadyWork other = bench.admit(slow);
            slow.room = split;
            slow.send(requests);
            bench.run(other, slow);
            slow.room = Long.MAX_VALUE;
            bench.run(other, slow);
            assertEquals(whole, slow.takeWritten(), "split at " + split);
        }
    }

    @Test
    void stopsReadingAPeerThatDoesNotReadItsAnswers() {
        peer.room = 10;
        for (int i = 0; i < 9; i++) {
            peer.send(get("/a").repeat(100));
        }
        bench.run(connection, peer);
        assertFalse(peer.readWanted);
        assertTrue(peer.hasInput());
        assertTrue(answers.handled <= 200, "handled " + answers.handled);
        read(Long.MAX_VALUE);
        assertEquals(900, answers.handled);
        assertEquals(900, ConnectionAnswersTest.statuses(peer.takeWritten()).size());
    }

    @Test
    void givesUpAnAnswerThatMakesNoProgress() {
        peer.room = 100_000;
        peer.send(get("/large"));
        bench.run(connection, peer);
        bench.advanceMs(59_900);
        assertFalse(peer.closed);
        bench.advanceMs(1_200);
        assertTrue(peer.closed);
        assertEquals(0, bench.connections.live());
        assertEquals(1, bench.records.size());
        long sent = bench.records.get(0).bytes();
        assertTrue(sent > 90_000 && sent < 100_000, "recorded " + sent);
    }

    @Test
    void waitsForASlowButSteadyReader() {
        peer.room = 100_000;
        peer.send(get("/large"));
        bench.run(connection, peer);
        for (int i = 0; i < 10; i++) {
            bench.advanceMs(50_000);
            read(100_000);
        }
        assertFalse(peer.closed);
        assertTrue(peer.takeWritten().endsWith(LARGE));
    }

    @Test
    void closesWhenWritingFails() {
        peer.writeFails = true;
        peer.send(get("/a") + get("/large"));
        bench.run(connection, peer);
        assertTrue(peer.closed);
        assertEquals(0, bench.connections.live());
    }

    @Test
    void leavesNothingOfAClosedConnectionToTheNextOne() {
        peer.room = 50;
        peer.send(get("/large"));
        bench.run(connection, peer);
        peer.writeFails = true;
        bench.run(connection, peer);
        assertTrue(peer.closed);
        ScriptedTransport next = new ScriptedTransport();
        ReadyWork other = bench.admit(next);
        next.send(get("/b"));
        bench.run(other, next);
        String wire = next.takeWritten();
        assertTrue(wire.startsWith("HTTP/1.1 200 OK\r\n") && wire.endsWith("/b"), wire);
    }

    @Test
    void sendsAHeadLargerThanItsBuffer() {
        String value = "v".repeat(100_000);
        Bench wide = new Bench(request ->
                Response.status(200).header("X-Wide", value).body("end").build());
        ScriptedTransport slow = new ScriptedTransport();
        ReadyWork other = wide.admit(slow);
        slow.room = 1_000;
        slow.send(get("/a") + get("/b"));
        wide.run(other, slow);
        slow.room = Long.MAX_VALUE;
        wide.run(other, slow);
        String wire = slow.takeWritten();
        assertEquals(2, ConnectionAnswersTest.statuses(wire).size());
        assertTrue(wire.endsWith("\r\n\r\nend"));
        assertEquals(2, wire.split("X-Wide: " + value, -1).length - 1);
    }

    @Test
    void sendsPartOfAFile(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("large");
        Files.write(path, Answers.LARGE);
        Bench files = new Bench(request ->
                Response.status(200).file(path, 1_000, 500_000).build());
        ScriptedTransport slow = new ScriptedTransport();
        ReadyWork other = files.admit(slow);
        slow.room = 10_000;
        slow.send(get("/a") + get("/b"));
        files.run(other, slow);
        while (slow.writeWanted) {
            slow.room = 90_001;
            files.run(other, slow);
        }
        String[] answers = slow.takeWritten().split("(?=HTTP/1\\.1 200)");
        assertEquals(2, answers.length);
        for (String answer : answers) {
            assertTrue(answer.endsWith("\r\n\r\n" + LARGE.substring(1_000, 501_000)));
        }
    }

    @Test
    void answersAFileThatIsTooShortWith500AndCutsOneThatShrinks(@TempDir Path folder)
            throws Exception {
        Path path = folder.resolve("short");
        Files.write(path, Answers.LARGE);
        Bench files = new Bench(request -> Response.status(200)
                .file(path, 0, request.pathIs("/more") ? 2_000_000 : 1_000_000).build());
        ScriptedTransport slow = new ScriptedTransport();
        ReadyWork other = files.admit(slow);
        slow.room = 100_000;
        slow.send(get("/all"));
        files.run(other, slow);
        Files.write(path, new byte[10]);
        slow.room = Long.MAX_VALUE;
        files.run(other, slow);
        assertTrue(slow.closed, "a file that shrinks ends its connection");
        ScriptedTransport second = new ScriptedTransport();
        ReadyWork refused = files.admit(second);
        second.send(get("/more"));
        files.run(refused, second);
        assertTrue(second.takeWritten().startsWith("HTTP/1.1 500 "));
        assertEquals(1, files.failures.size());
    }

    @Test
    void aFileThatIsAnotherByNowIsNotSentUnderTheOldOnesFields(@TempDir Path folder)
            throws Exception {
        Path path = folder.resolve("page");
        Files.writeString(path, "old");
        FileState seen = FileState.of(Files.readAttributes(path, BasicFileAttributes.class));
        Bench files = new Bench(request -> Response.status(200)
                .file(path, 0, request.pathIs("/more") ? 4 : 3, seen).build());
        ScriptedTransport client = new ScriptedTransport();
        ReadyWork asked = files.admit(client);
        assertTrue(answer(files, asked, client, "/").endsWith("\r\n\r\nold"), "it is the one");
        Files.setLastModifiedTime(path,
                FileTime.from(seen.modified().toInstant().plusNanos(1_000)));
        expectAskAgain(answer(files, asked, client, "/"), "changed a microsecond later");
        Files.writeString(path, "longer");
        Files.setLastModifiedTime(path, seen.modified());
        expectAskAgain(answer(files, asked, client, "/"), "of another size");
        Files.delete(path);
        expectAskAgain(answer(files, asked, client, "/"), "gone");
        assertEquals(0, files.failures.size(), "nothing failed");
        Files.writeString(path, "old");
        Files.setLastModifiedTime(path, seen.modified());
        assertTrue(answer(files, asked, client, "/").endsWith("\r\n\r\nold"), "as it was");
        assertTrue(answer(files, asked, client, "/more").startsWith("HTTP/1.1 500 "),
                "as it was, and too short");
        assertEquals(1, files.failures.size());
    }

    private static String answer(Bench bench, ReadyWork asked, ScriptedTransport client,
            String path) {
        client.send(get(path));
        bench.run(asked, client);
        return client.takeWritten();
    }

    private static void expectAskAgain(String answer, String what) {
        assertTrue(answer.startsWith("HTTP/1.1 503 "), "a file that is " + what + ": " + answer);
        assertTrue(answer.contains("\r\nRetry-After: 0\r\n"), answer);
        assertFalse(answer.contains("Connection: close"), answer);
    }

    /** A selector reports room only when much of the socket's buffer is free. */
    @Test
    void aSteadyReaderTooSlowForTheSelectorIsNotGivenUp() {
        peer.room = 100_000;
        peer.send(get("/large"));
        bench.event(connection, peer);
        for (int second = 0; second < 150; second++) {
            peer.room = 1_000;
            bench.advanceMs(1000);
            assertFalse(peer.closed, "given up after " + second + " s");
        }
        peer.room = 0;
        bench.advanceMs(62_000);
        assertTrue(peer.closed, "a peer that reads nothing more is kept");
    }
}
