package browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Browser;
import kit.Gate;
import kit.Relay;
import kit.Rounds;
import kit.ServerProcess;
import kit.SseClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of hello: live beats of every loop, through cuts and restarts. */
@Gate
class HelloPageGate {

    private static final int LOOPS = 2;
    private static final Duration WAIT = Duration.ofSeconds(30);
    /** Two beats of each loop have been sent when as many seconds have passed. */
    private static final long LOOK_MS = 2000;
    private static final String STATE = "document.getElementById('state').textContent";
    private static final String ROWS = "[...document.querySelectorAll('#beats tr')].map(row =>"
            + " [...row.children].map(cell => cell.innerText).join(' ')).join('\\n')";

    private static Browser browser;

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start();
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    /** A row of the page's table. */
    private record Row(String loop, int beats, String missed) {

        static List<Row> of(Browser.Page page) {
            List<Row> rows = new ArrayList<>();
            for (String line : page.evaluate(ROWS).lines().toList()) {
                String[] words = line.split(" ");
                rows.add(new Row(words[0] + " " + words[1], Integer.parseInt(words[2]), words[3]));
            }
            return rows;
        }
    }

    @Test
    void showsBeatsOfEveryLoopAfterTwoSeconds() {
        Rounds.untilProven("rows of the page were missing or had no beats",
                HelloPageGate::isBeatenOnEveryLoop);
    }

    /**
     * A pause may keep a beat of two seconds from a page, but makes none too many. Each round has a
     * server of its own: the stream of a page before may be counted for a while on another loop.
     */
    private static boolean isBeatenOnEveryLoop() {
        long startNs = System.nanoTime();
        try (ServerProcess server = hello(); Browser.Page page = open(server.port())) {
            page.await("the live page", STATE + " === 'live'", WAIT);
            ServerProcess.pause(LOOK_MS);
            List<Row> rows = Row.of(page);
            long beatsMax = (System.nanoTime() - startNs) / 1_000_000_000L + 1;
            for (Row row : rows) {
                assertTrue(row.beats <= beatsMax, "beats: " + row);
                assertEquals("none", row.missed, "missed: " + row);
            }
            page.awaitText(", one of 2, brings them", WAIT);
            return rows.stream().map(Row::loop).toList().equals(List.of("Loop 0", "Loop 1"))
                    && least(rows) >= 1;
        }
    }

    @Test
    void comesBackFromACutWithoutAGap() {
        try (ServerProcess server = hello(); Relay relay = Relay.to(server.port());
                SseClient watcher = SseClient.open(server, "/beats");
                Browser.Page page = open(relay.port())) {
            awaitBeats(page, 2);
            relay.cut();
            page.await("the page to see the cut", STATE + " === 'reconnecting…'", WAIT);
            int before = least(Row.of(page));
            // Who watches beside the page keeps the beats coming: these can only be replayed.
            while (watcher.tryEvent(Duration.ofMillis(50)) != null) {
                continue;
            }
            watcher.events(2 * LOOPS, WAIT);
            relay.mend();
            page.await("the live page", STATE + " === 'live'", WAIT);
            awaitBeats(page, before + 4);
            for (Row row : Row.of(page)) {
                assertEquals("none", row.missed, "missed: " + row);
            }
            assertEquals("", page.evaluate("document.getElementById('note').textContent"),
                    "the page's note");
        }
    }

    @Test
    void showsTheGapOfARestartAndThenBeats() {
        // By a relay: the first server's port may be somebody else's when the second wants it.
        try (ServerProcess first = hello(); Relay relay = Relay.to(first.port());
                Browser.Page page = open(relay.port())) {
            awaitBeats(page, 3);
            first.term();
            first.awaitExit(WAIT);
            relay.cut();
            page.await("the page to see the end", STATE + " === 'reconnecting…'", WAIT);
            try (ServerProcess second = hello()) {
                relay.turnTo(second.port());
                relay.mend();
                page.awaitText("Gap: the server cannot say what came meanwhile", WAIT);
                awaitBeats(page, 1);
                assertEquals("live", page.evaluate(STATE));
                assertEquals(LOOPS, Row.of(page).size(), "rows of the page");
                for (Row row : Row.of(page)) {
                    assertEquals("none", row.missed, "missed: " + row);
                }
                assertTrue(second.isAlive(), "the second server has ended");
            }
        }
    }

    private static ServerProcess hello() {
        return ServerProcess.app("hello").set("M0_THREADS", Integer.toString(LOOPS)).start();
    }

    private static Browser.Page open(int port) {
        return browser.open("http://127.0.0.1:" + port + "/");
    }

    private static void awaitBeats(Browser.Page page, int count) {
        page.await(count + " beats of each loop", "(rows => rows.length === " + LOOPS
                + " && rows.every(row => +row.children[1].innerText >= " + count
                + "))([...document.querySelectorAll('#beats tr')])", WAIT);
    }

    private static int least(List<Row> rows) {
        return rows.stream().mapToInt(Row::beats).min().orElse(0);
    }
}
