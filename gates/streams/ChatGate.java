package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import kit.ClientFrames;
import kit.Gate;
import kit.ServerProcess;
import kit.Spread;
import kit.WsClient;
import org.junit.jupiter.api.Test;

/** I8: what is said on one loop is heard on all, by everybody, once and in one order. */
@Gate
class ChatGate {

    private static final int PEOPLE = 8;
    private static final int LOOPS = 2;
    private static final Duration WAIT = Duration.ofSeconds(20);

    @Test
    void whatIsSaidOnOneLoopIsHeardOnAllOnceAndInOneOrder() {
        try (ServerProcess server = chat()) {
            List<WsClient> people = comeInto(server);
            people.forEach(person -> awaitNotice(person, "\"here\":" + people.size() + ","));
            for (int count = 0; count < people.size(); count++) {
                people.get(count).text("from " + count);
            }
            List<List<String>> heard = new ArrayList<>();
            people.forEach(person -> heard.add(hear(person, people.size())));
            people.get(0).text("the last");
            for (WsClient person : people) {
                String next = hear(person, 1).get(0);
                assertTrue(next.contains("\"text\":\"the last\""), "heard twice: " + next);
                person.close();
            }
            Set<String> texts = new TreeSet<>();
            for (String said : heard.get(0)) {
                texts.add(said.replaceAll(".*\"text\":\"([^\"]*)\".*", "$1"));
            }
            assertEquals(people.size(), texts.size(), "different messages in " + heard.get(0));
            heard.forEach(each -> assertEquals(heard.get(0), each, "heard in one order"));
        }
    }

    @Test
    void whoComesLaterHearsWhatWasSaid() {
        try (ServerProcess server = chat()) {
            List<WsClient> people = comeInto(server);
            people.get(0).text("early");
            people.forEach(person -> hear(person, 1));
            for (WsClient late : comeInto(server)) {
                assertTrue(hear(late, 1).get(0).contains("\"text\":\"early\""), "what was said");
                late.close();
            }
            people.forEach(WsClient::close);
        }
    }

    @Test
    void whoLeavesIsTold() {
        try (ServerProcess server = chat()) {
            List<WsClient> people = comeInto(server);
            people.forEach(person -> awaitNotice(person, "\"here\":" + people.size() + ","));
            WsClient leaver = people.get(0).close(1000);
            var frame = leaver.read();
            // Who came is told by another loop than the one that says how many are there.
            while (frame.opcode() == ClientFrames.TEXT) {
                frame = leaver.read();
            }
            assertEquals(1000, frame.closeCode());
            people.get(1).connection().reset();
            for (WsClient person : people.subList(2, people.size())) {
                awaitNotice(person, "\"here\":" + (people.size() - 2) + ",");
                person.close();
            }
        }
    }

    @Test
    void whoIsTooFastIsReadLaterAndLosesNothing() {
        try (ServerProcess server = chat(); WsClient person = WsClient.open(server, "/ws?name=x")) {
            int burst = 10;
            int more = 4;
            long startNs = System.nanoTime();
            for (int count = 0; count < burst + more; count++) {
                person.text("message " + count);
            }
            List<String> heard = hear(person, burst + more);
            long tookMs = (System.nanoTime() - startNs) / 1_000_000;
            for (int count = 0; count < burst + more; count++) {
                assertTrue(heard.get(count).contains("\"text\":\"message " + count + "\""),
                        "message " + count + " is " + heard.get(count));
            }
            assertTrue(tookMs >= 1000, "all were heard after " + tookMs + " ms");
        }
    }

    private static ServerProcess chat() {
        // No pings, which nobody here answers.
        return ServerProcess.app("chat").set("M0_THREADS", Integer.toString(LOOPS))
                .set("M0_SSE_HEARTBEAT_MS", "0").start();
    }

    /** People who stand on all loops, or the gate would prove nothing. */
    private static List<WsClient> comeInto(ServerProcess server) {
        List<WsClient> people = new ArrayList<>();
        Spread.over(LOOPS, PEOPLE, people,
                () -> WsClient.open(server, "/ws?name=p" + people.size()), WsClient::worker);
        return people;
    }

    /** Waits for somebody to come or leave. */
    private static void awaitNotice(WsClient person, String words) {
        long untilNs = System.nanoTime() + WAIT.toNanos();
        String notice = "";
        while (!notice.contains(words) || !notice.contains("\"at\":")) {
            notice = notice(person, untilNs, words);
        }
    }

    /** The next messages that were said. */
    private static List<String> hear(WsClient person, int count) {
        long untilNs = System.nanoTime() + WAIT.toNanos();
        List<String> heard = new ArrayList<>();
        while (heard.size() < count) {
            String notice = notice(person, untilNs, "message " + (heard.size() + 1));
            if (notice.contains("\"kind\":\"said\"")) {
                heard.add(notice);
            }
        }
        return heard;
    }

    private static String notice(WsClient person, long untilNs, String awaited) {
        WsClient.Frame frame =
                person.tryRead(Duration.ofNanos(Math.max(1, untilNs - System.nanoTime())));
        if (frame == null) {
            throw new AssertionError("nobody told of " + awaited);
        }
        assertEquals(ClientFrames.TEXT, frame.opcode(), "opcode");
        return frame.text();
    }
}
