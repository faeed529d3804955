package browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Browser;
import kit.Gate;
import kit.Relay;
import kit.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of chat: two people on two loops, and one who is cut off and comes back. */
@Gate
class ChatPageGate {

    private static final int PAGES_MAX = 12;
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String STATE = "document.getElementById('state').textContent";
    private static final String LOOP = "document.getElementById('loop').textContent";
    private static final String SAID = "[...document.querySelectorAll('#said .said .words')]"
            + ".map(words => words.innerText).join('\\n')";

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

    @Test
    void pagesOnTwoLoopsExchangeMessages() {
        try (ServerProcess server = chat()) {
            List<Browser.Page> pages = onTwoLoops(server.port());
            Browser.Page one = pages.get(0);
            Browser.Page two = pages.get(pages.size() - 1);
            assertFalse(one.evaluate(LOOP).equals(two.evaluate(LOOP)), "vacuous: one loop alone");
            one.submit("text", "first, <b>&amp;</b> as text");
            two.awaitText("first, <b>&amp;</b> as text", WAIT);
            two.submit("text", "second");
            one.awaitText("second", WAIT);
            for (Browser.Page page : pages) {
                page.awaitText("second", WAIT);
                assertEquals(List.of("guest: first, <b>&amp;</b> as text", "guest: second"),
                        said(page), "what was said");
                page.awaitText(pages.size() + " here", WAIT);
            }
            one.close();
            two.awaitText("guest left", WAIT);
            two.awaitText(pages.size() - 1 + " here", WAIT);
            pages.subList(1, pages.size()).forEach(Browser.Page::close);
        }
    }

    @Test
    void whoWasCutOffComesBackAndHearsEverythingOnce() {
        try (ServerProcess server = chat(); Relay relay = Relay.to(server.port());
                Browser.Page stays = live(server.port()); Browser.Page leaves = live(relay.port())) {
            stays.submit("text", "before");
            leaves.awaitText("guest: before", WAIT);
            relay.cut();
            leaves.await("the page to see the cut", STATE + " === 'reconnecting…'", WAIT);
            stays.awaitText("guest left", WAIT);
            stays.submit("text", "meanwhile");
            stays.awaitText("guest: meanwhile", WAIT);
            relay.mend();
            leaves.awaitText("guest: meanwhile", WAIT);
            assertEquals("live", leaves.evaluate(STATE));
            leaves.submit("text", "after");
            stays.awaitText("guest: after", WAIT);
            leaves.awaitText("guest: after", WAIT);
            assertEquals(List.of("guest: before", "guest: meanwhile", "guest: after"),
                    said(leaves), "what was said");
        }
    }

    private static ServerProcess chat() {
        return ServerProcess.app("chat").set("M0_THREADS", "2").start();
    }

    /** Opens pages until they stand on two loops. */
    private static List<Browser.Page> onTwoLoops(int port) {
        List<Browser.Page> pages = new ArrayList<>();
        while (pages.size() < PAGES_MAX) {
            pages.add(live(port));
            String first = pages.get(0).evaluate(LOOP);
            if (!pages.get(pages.size() - 1).evaluate(LOOP).equals(first)) {
                break;
            }
        }
        return pages;
    }

    private static Browser.Page live(int port) {
        Browser.Page page = browser.open("http://127.0.0.1:" + port + "/");
        page.await("the live page", STATE + " === 'live' && " + LOOP + " !== ''", WAIT);
        return page;
    }

    /** Who said what, as the page shows it. */
    private static List<String> said(Browser.Page page) {
        return page.evaluate(SAID).lines().toList();
    }
}
