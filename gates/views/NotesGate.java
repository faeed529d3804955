package views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/**
 * fragment_notes as a client sees it that runs no script, and what it refuses to be served with.
 */
@Gate
class NotesGate {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private static ServerProcess server() {
        return ServerProcess.app("fragment_notes").start();
    }

    private static Reply post(RawClient client, String target, String body, String fields) {
        return client.send("POST " + target + " HTTP/1.1\r\nHost: gate\r\n" + fields
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body).read();
    }

    private static Reply add(RawClient client, String title, String text) {
        return post(client, "/notes", "title=" + URLEncoder.encode(title, StandardCharsets.UTF_8)
                + "&text=" + URLEncoder.encode(text, StandardCharsets.UTF_8), "");
    }

    /** Goes where a 303 sends a browser. */
    private static Reply follow(RawClient client, Reply reply) {
        return client.get(reply.expect(303).header("Location")).expect(200);
    }

    @Test
    void plainFormsAddShowAndDelete() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            assertTrue(client.get("/").expect(200).text().contains("No notes yet."));
            Reply list = follow(client, add(client, "Milk", "two\r\nbottles"));
            assertTrue(list.text().contains("<a href=\"/notes/1\" data-part>Milk</a>"),
                    list.text());
            assertTrue(client.get("/notes/1").expect(200).text().contains("two\nbottles"));
            Reply without = follow(client, post(client, "/notes/1/delete", "", ""));
            assertTrue(without.text().contains("action=\"/notes/1/restore\""), without.text());
            assertFalse(without.text().contains("href=\"/notes/1\""), without.text());
            client.get("/notes/1").expect(404);
            assertTrue(follow(client, post(client, "/notes/1/restore", "", "")).text()
                    .contains("href=\"/notes/1\""));
        }
    }

    @Test
    void whatPeopleWriteIsText() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            String list = follow(client, add(client, "\"><b>'&amp;", "</p><script>1</script>"))
                    .text();
            String note = client.get("/notes/1").expect(200).text();
            for (String page : new String[] {list, note}) {
                assertFalse(page.contains("<b>") || page.contains("<script>"), page);
                assertTrue(page.contains("&quot;&gt;&lt;b&gt;&#39;&amp;amp;"), page);
                assertTrue(page.contains("&lt;/p&gt;&lt;script&gt;1"), page);
            }
            Reply policy = client.get("/");
            assertTrue(policy.header("Content-Security-Policy").startsWith("default-src 'none'"),
                    policy.toString());
        }
    }

    @Test
    void whatIsTooMuchIsSaidAndKept() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            Reply title = add(client, "x".repeat(101), "kept words").expect(422);
            assertTrue(title.text().contains("A title has at most 100 characters; this one has"
                    + " 101."), title.text());
            assertTrue(title.text().contains("kept words</textarea>"), title.text());
            assertTrue(add(client, "t", "y".repeat(4001)).expect(422).text()
                    .contains("A note has at most 4000 characters; this one has 4001."));
            assertTrue(add(client, " ", "").expect(422).text().contains("A note needs a title."));
            add(client, "t", "y".repeat(70_000)).expect(413);
            for (int count = 0; count < 200; count++) {
                add(client, "n" + count, "").expect(303);
            }
            assertTrue(add(client, "one more", "").expect(409).text()
                    .contains("There is room for 200 notes"));
        }
    }

    @Test
    void pagesOfOtherSitesDoNotWrite() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            post(client, "/notes", "title=x", "Sec-Fetch-Site: cross-site\r\n").expect(403);
            post(client, "/notes", "title=x", "Sec-Fetch-Site: same-site\r\n").expect(403);
            post(client, "/notes", "title=x", "Origin: http://evil.example\r\n").expect(403);
            post(client, "/notes", "title=x", "Origin: http://gate:3000\r\n").expect(403);
            assertTrue(client.get("/").text().contains("No notes yet."));
            post(client, "/notes", "title=x",
                    "Sec-Fetch-Site: same-origin\r\nOrigin: http://gate\r\n").expect(303);
        }
    }

    @Test
    void twoLoopsAndALaneAreRefused() throws IOException {
        expectRefusal("host: M0_THREADS=2 is more than application fragment_notes allows, 1",
                "M0_THREADS", "2");
        expectRefusal("host: M0_BLOCKING_THREADS=1 is more than application fragment_notes"
                + " allows, whose state lives in one handler", "M0_BLOCKING_THREADS", "1");
    }

    /** The port is taken: a host that binds first would fail with 1. */
    private static void expectRefusal(String words, String variable, String value)
            throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                ServerProcess server = ServerProcess.app("fragment_notes")
                        .set("M0_PORT", String.valueOf(taken.getLocalPort()))
                        .set(variable, value).launch()) {
            assertEquals(78, server.awaitExit(BOUND), server.stderr());
            assertTrue(server.stderr().startsWith(words), server.stderr());
        }
    }
}
