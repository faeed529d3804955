package static_files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G5, G6: no spelling of a path, and no link, leads out of the directory. */
@Gate
class TraversalGate {
    @TempDir
    private static Path outside;
    private static Site site;
    private static ServerProcess server;

    @BeforeAll
    static void start() {
        site = new Site(outside);
        site.file("sub/b.txt", "sub");
        site.file("sub/deep/c.txt", "deep");
        site.file("%61.txt", "percent");
        site.file("back\\slash.txt", "backslash");
        site.link("out.txt", outside.resolve("secret.txt"));
        site.link("out", outside);
        site.link("relative.txt", Path.of("../secret.txt"));
        site.link("beside", outside.resolve("root-beside"));
        site.link("chain", site.root().resolve("out"));
        site.link("loop", site.root().resolve("loop"));
        site.link("inside.txt", Path.of("sub/b.txt"));
        site.file("trap/b.txt", "trap");
        site.link("trap/index.html", outside.resolve("secret.txt"));
        server = site.plan().set("M0_FILES_HIDDEN", "1")
                .set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E/secret.txt", "/.%2e/secret.txt",
        "/sub/../../secret.txt", "/sub/%2e%2e/%2e%2e/secret.txt", "/..%2fsecret.txt",
        "/..%2Fsecret.txt", "/%2e%2e%2fsecret.txt", "/..\\secret.txt", "/..%5csecret.txt",
        "/%252e%252e/secret.txt", "/..%252fsecret.txt", "/%c0%ae%c0%ae/secret.txt",
        "/..%c0%afsecret.txt", "/..%00/secret.txt", "/../root-beside/secret.txt",
        "/..;/secret.txt", "/.../secret.txt",
    })
    void whatIsAboveTheRootIsNotReached(String target) {
        expectNotFound(target);
    }

    /** What they would lead to is there: a path is refused for its form. */
    @ParameterizedTest
    @ValueSource(strings = {
        "/sub/../a.txt", "/sub/%2e%2e/a.txt", "/./a.txt", "/%2e/a.txt", "/sub/.", "/sub/deep/..",
        "/sub%2fb.txt", "/sub%2Fb.txt", "/sub/deep%2fc.txt", "/sub%252fb.txt", "/back%5Cslash.txt",
        "/back\\slash.txt", "//a.txt", "/sub//b.txt", "/a.txt%00", "/a.txt%00.css", "/%00a.txt",
        "/a.txt%2f", "/%2fa.txt",
    })
    void whatOnlyLeadsAboutIsRefused(String target) {
        expectNotFound(target);
    }

    @Test
    void anAbsolutePathIsNoWayOut() {
        expectNotFound("/" + outside + "/secret.txt");
        expectNotFound("/%2f" + outside.toString().substring(1) + "/secret.txt");
        expectNotFound("http://gate/../secret.txt");
        expectNotFound("http://gate/%2e%2e/secret.txt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/out.txt", "/relative.txt", "/out/secret.txt",
        "/out/root-beside/secret.txt", "/beside/secret.txt", "/chain/secret.txt", "/loop",
        "/loop/a.txt", "/trap/", "/out/", "/out"})
    void aLinkThatLeadsOutIsNotFollowed(String target) {
        expectNotFound(target);
    }

    @Test
    void aLinkThatStaysInsideIs() {
        try (RawClient client = RawClient.connect(server)) {
            client.get("/inside.txt").expect(200).expectBody("sub");
        }
    }

    @Test
    void aNameIsDecodedOnce() {
        try (RawClient client = RawClient.connect(server)) {
            client.get("/%2561.txt").expect(200).expectBody("percent");
            client.get("/%61.txt").expect(200).expectBody("0123456789");
        }
    }

    private static void expectNotFound(String target) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.get(target);
            assertTrue(!reply.text().contains("secret"), target + " leads out: " + reply);
            assertEquals(404, reply.status(), "the status of " + target + " in " + reply);
            client.get("/a.txt").expect(200).expectBody("0123456789");
        }
    }
}
