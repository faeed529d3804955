package browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.Browser;
import kit.Gate;
import kit.Relay;
import kit.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The page of fragment_notes: adding, looking at and deleting a note changes a part of the page.
 */
@Gate
class NotesPageGate {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String TITLES = "[...document.querySelectorAll('.notes > li > a')]"
            + ".map(link => link.innerText).join('|')";
    private static final String SAID = "document.getElementById('said').textContent";
    /** Lives as long as the document: whatever loads the page anew loses it. */
    private static final String SAME_PAGE = "window.samePage === true";

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

    private static Browser.Page open(int port) {
        Browser.Page page = browser.open("http://127.0.0.1:" + port + "/");
        page.await("the page", "document.readyState === 'complete'"
                + " && document.getElementById('title') !== null", WAIT);
        page.evaluate("window.samePage = true");
        return page;
    }

    private static void click(Browser.Page page, String selector) {
        page.evaluate("document.querySelector(\"" + selector + "\").click()");
    }

    private static void awaitTitles(Browser.Page page, String titles) {
        page.await("the titles " + titles, TITLES + " === '" + titles + "'", WAIT);
        assertEquals("true", page.evaluate(SAME_PAGE), "the same page");
    }

    @Test
    void aNoteIsAddedSeenAndDeletedOnOnePage() {
        try (ServerProcess server = ServerProcess.app("fragment_notes").start();
                Browser.Page page = open(server.port())) {
            page.awaitText("No notes yet.", WAIT);
            page.submit("title", "first, <b>&amp;</b> as text");
            awaitTitles(page, "first, <b>&amp;</b> as text");
            page.await("what was done", SAID + " === 'Added.'", WAIT);
            assertEquals("title", page.evaluate("document.activeElement.id"), "the focus");
            page.submit("title", "second");
            awaitTitles(page, "second|first, <b>&amp;</b> as text");
            click(page, ".notes > li:last-child > a");
            page.await("the note's own page", "location.pathname === '/notes/1'"
                    + " && document.querySelector('h1').innerText.startsWith('first')", WAIT);
            assertEquals("true", page.evaluate(SAME_PAGE), "the same page");
            page.evaluate("history.back()");
            awaitTitles(page, "second|first, <b>&amp;</b> as text");
            click(page, ".notes > li:last-child .delete");
            awaitTitles(page, "second");
            page.await("what was done", SAID + " === 'Deleted.'", WAIT);
            click(page, ".offer button");
            awaitTitles(page, "second|first, <b>&amp;</b> as text");
        }
    }

    @Test
    void whatIsRefusedIsSaidAndWhatWasWrittenStays() {
        try (ServerProcess server = ServerProcess.app("fragment_notes").start();
                Browser.Page page = open(server.port())) {
            page.evaluate("document.getElementById('text').value = 'kept words'");
            page.submit("title", " ");
            page.awaitText("A note needs a title.", WAIT);
            assertEquals("kept words",
                    page.evaluate("document.getElementById('text').value"));
            page.evaluate("document.getElementById('text').value = 'x'.repeat(70000)");
            page.submit("title", "too long");
            page.await("the refusal", SAID + ".startsWith('The form has 7')", WAIT);
            assertEquals("too long", page.evaluate("document.getElementById('title').value"));
            assertEquals("true", page.evaluate(SAME_PAGE), "the same page");
        }
    }

    @Test
    void aServerThatHasGoneIsSaidAndTheNoteStaysWritten() {
        // By a relay: the port of a server that has gone may be another's at once.
        try (ServerProcess server = ServerProcess.app("fragment_notes").start();
                Relay relay = Relay.to(server.port()); Browser.Page page = open(relay.port())) {
            server.term();
            server.awaitExit(WAIT);
            relay.cut();
            page.submit("title", "unsent");
            page.await("that nobody answered", SAID + ".includes('did not answer')", WAIT);
            assertEquals("unsent", page.evaluate("document.getElementById('title').value"));
            assertTrue(page.evaluate("document.querySelector('form.add button').disabled")
                    .equals("false"), "the button is still disabled");
        }
    }

    @Test
    void withoutItsScriptTheSameFormsDoTheSame() {
        try (ServerProcess server = ServerProcess.app("fragment_notes").start();
                Browser.Page page = open(server.port())) {
            // A form that is sent by its own method asks no listener.
            page.evaluate("(form => { form.title.value = 'plain'; form.submit(); })"
                    + "(document.querySelector('form.add'))");
            page.await("a page of its own", "!(" + SAME_PAGE + ") && " + TITLES + " === 'plain'",
                    WAIT);
            assertEquals("/", page.evaluate("location.pathname"));
            page.evaluate("document.querySelector('.notes form').submit()");
            page.await("the list without it", TITLES + " === ''"
                    + " && document.body.innerText.includes('No notes yet.')", WAIT);
        }
    }
}
