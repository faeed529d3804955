package static_files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** J1–J15: what of a directory is served, how it is described, and to which methods. */
@Gate
class StaticFilesGate {
    @TempDir
    private static Path outside;
    private static Site site;
    private static ServerProcess server;

    @BeforeAll
    static void start() throws IOException {
        site = new Site(outside);
        site.file("index.html", "<p>index</p>");
        site.file("sub/index.html", "<p>sub</p>");
        site.file("sub/style.css", "b{}");
        site.file("bare/data.json", "{}");
        site.file("evil.example/index.html", "<p>evil</p>");
        site.file(".hidden/a.txt", "hidden");
        site.file("empty.bin", "");
        site.file("with blank.js", "0");
        site.pipe("pipe.txt");
        site.link("round", Path.of("round"));
        Files.setPosixFilePermissions(site.file("locked.txt", "locked"), Set.of());
        server = site.plan().set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aFileIsServedWithItsValidatorsAndLength() {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.get("/a.txt").expect(200).expectBody("0123456789").expectOpen();
            assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", reply.header("Last-Modified"));
            assertTrue(reply.header("ETag").matches("\"[^\"]+\""), "in " + reply);
            assertEquals("bytes", reply.header("Accept-Ranges"));
            assertEquals("nosniff", reply.header("X-Content-Type-Options"));
            assertNull(reply.header("Cache-Control"), "in " + reply);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/index.html,       text/html; charset=utf-8",
        "/sub/style.css,    text/css; charset=utf-8",
        "/with%20blank.js,  text/javascript; charset=utf-8",
        "/a.txt,            text/plain; charset=utf-8",
        "/bare/data.json,   application/json",
        "/empty.bin,        application/octet-stream",
    })
    void itsTypeIsToldByItsName(String target, String type) {
        try (RawClient client = RawClient.connect(server)) {
            assertEquals(type, client.get(target).expect(200).header("Content-Type"),
                    "the type of " + target);
        }
    }

    @Test
    void aDirectoryIsItsIndex() {
        try (RawClient client = RawClient.connect(server)) {
            client.get("/").expect(200).expectBody("<p>index</p>");
            client.get("/sub/").expect(200).expectBody("<p>sub</p>");
            client.get("/sub/?q=1").expect(200).expectBody("<p>sub</p>");
        }
    }

    @Test
    void aDirectoryWithoutAnIndexIsNotListed() {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.get("/bare/").expect(404);
            assertTrue(!reply.text().contains("data"), "it lists its files: " + reply);
        }
    }

    @Test
    void aDirectoryWithoutItsSlashIsSentToItselfWithItsQuery() {
        try (RawClient client = RawClient.connect(server)) {
            assertEquals("/sub/", client.get("/sub").expect(301).header("Location"));
            assertEquals("/sub/?a=b&c=//d",
                    client.get("/sub?a=b&c=//d").expect(301).header("Location"));
        }
    }

    /** What a browser would take for the name of a host is never what an answer sends it to. */
    @ParameterizedTest
    @ValueSource(strings = {"//evil.example", "//evil.example/", "///evil.example",
        "/%2Fevil.example", "/%5Cevil.example", "/\\evil.example", "/.//evil.example",
        "/sub/..//evil.example", "/%2e/%2fevil.example", "/%09/evil.example"})
    void noRedirectLeavesItsHost(String target) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.get(target).expect(404);
            assertNull(reply.header("Location"), "of " + target + " in " + reply);
            assertEquals("/evil.example/",
                    client.get("/evil.example").expect(301).header("Location"));
        }
    }

    @Test
    void headHasWhatGetHasAndNoBody() {
        try (RawClient client = RawClient.connect(server)) {
            for (String target : new String[] {"/a.txt", "/", "/none", "/sub"}) {
                Reply get = client.get(target);
                Reply head = Site.ask(client, "HEAD", target).expect(get.status()).expectOpen();
                for (String name : new String[] {"Content-Length", "Content-Type", "ETag",
                    "Last-Modified", "Accept-Ranges", "Location"}) {
                    assertEquals(get.header(name), head.header(name), name + " of " + target);
                }
            }
            client.get("/a.txt").expect(200).expectBody("0123456789");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"})
    void anotherMethodIsToldWhichAreAllowed(String method) {
        try (RawClient client = RawClient.connect(server)) {
            for (String target : new String[] {"/a.txt", "/none"}) {
                Reply reply = Site.ask(client, method, target).expect(405).expectOpen();
                assertEquals("GET, HEAD", reply.header("Allow"), "for " + method + " " + target);
            }
            client.get("/a.txt").expect(200).expectBody("0123456789");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/none", "/a.txt/", "/a.txt/b", "/sub/none.css", "/.hidden/a.txt",
        "/%2ehidden/a.txt", "/pipe.txt"})
    void whatIsNotThereOrNoFileOrHiddenIs404(String target) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.get(target).expect(404).expectOpen();
            assertEquals("nosniff", reply.header("X-Content-Type-Options"));
        }
    }

    @Test
    void whatMayNotBeReadIs404AndNot500() {
        Assumptions.assumeTrue(!Files.isReadable(site.root().resolve("locked.txt")),
                "nothing is locked for root: this can be seen as another user alone");
        try (RawClient client = RawClient.connect(server)) {
            client.get("/locked.txt").expect(404).expectOpen();
        }
    }

    /** A name too long, links that go round, a file where a directory would have to be. */
    @ParameterizedTest
    @ValueSource(strings = {"LONG", "LONG.txt", "/subLONG/a.txt", "/round", "/round/a.txt",
        "/a.txt/b/c.txt"})
    void whatTheFileSystemRefusesIs404AndNot500(String target) {
        try (RawClient client = RawClient.connect(server)) {
            client.get(target.replace("LONG", "/" + "x".repeat(300))).expect(404).expectOpen();
        }
    }

    @Test
    void hiddenFilesAndCacheControlAreSettings() {
        try (ServerProcess open = site.plan().set("M0_FILES_HIDDEN", "1")
                .set("M0_FILES_CACHE_CONTROL", "public, max-age=60").start();
                RawClient client = RawClient.connect(open)) {
            Reply reply = client.get("/.hidden/a.txt").expect(200).expectBody("hidden");
            assertEquals("public, max-age=60", reply.header("Cache-Control"));
            client.get("/.hidden/../a.txt").expect(404);
            assertNull(client.get("/none").expect(404).header("Cache-Control"));
        }
    }
}
