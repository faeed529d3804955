package static_files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** J206: the same directory under a prefix of the second host, on a lane of its own. */
@Gate
class MountedFilesGate {
    private static final int SPIN_MS = 10_000;
    private static final Duration EXIT = Duration.ofSeconds(30);

    @TempDir
    private Path outside;

    private Site site() {
        Site site = new Site(outside);
        site.file("index.html", "<p>index</p>");
        site.file("sub/b.txt", "sub");
        return site;
    }

    private static ServerProcess.Plan mounted(Site site) {
        return ServerProcess.app("bareapp").args("serve")
                .set("M0_FILES_ROOT", site.root().toString())
                .set("M0_MOUNT", "/x=ramp,/files=files").set("M0_BLOCKING_THREADS", "1");
    }

    @Test
    void aMountServesItsDirectoryUnderItsPrefix() {
        try (ServerProcess server = mounted(site()).start();
                RawClient client = RawClient.connect(server)) {
            client.get("/files/a.txt").expect(200).expectBody("0123456789");
            client.get("/files/").expect(200).expectBody("<p>index</p>");
            assertEquals("/files/", client.get("/files").expect(301).header("Location"));
            assertEquals("/files/sub/?q",
                    client.get("/files/sub?q").expect(301).header("Location"));
            Reply part = Site.ask(client, "GET", "/files/a.txt", "Range: bytes=2-5").expect(206);
            assertEquals("2345", part.text());
            for (String target : new String[] {"/files/../secret.txt", "/files/%2e%2e/secret.txt",
                "/files/..%2fsecret.txt", "/files//a.txt"}) {
                client.get(target).expect(404);
            }
            Site.ask(client, "POST", "/files/a.txt").expect(405);
        }
    }

    /** Judged by order: the neighbour's only thread spins on until the file has long been sent. */
    @Test
    void itAnswersWhileItsNeighboursThreadIsHeld() {
        try (ServerProcess server = mounted(site()).start();
                RawClient spinning = RawClient.connect(server);
                RawClient behind = RawClient.connect(server);
                RawClient client = RawClient.connect(server)) {
            client.get("/files/a.txt").expect(200);
            Site.send(spinning, "GET", "/x/slow?ms=" + SPIN_MS);
            spinning.awaitTaken();
            Site.send(behind, "GET", "/x/slow?ms=0");
            behind.awaitTaken();
            for (int count = 0; count < 5; count++) {
                client.get("/files/a.txt").expect(200).expectBody("0123456789");
                client.get("/x/now").expect(200);
            }
            assertFalse(behind.hasBytes(), "vacuous: the neighbour's thread was not held");
            assertFalse(spinning.hasBytes(), "a file waited for its neighbour's spin");
        }
    }

    @Test
    void aMountWhoseDirectoryIsMissingIsNamed() {
        try (ServerProcess server = mounted(site()).set("M0_FILES_ROOT", outside + "/none")
                .launch()) {
            assertEquals(78, server.awaitExit(EXIT));
            assertEquals(1, server.stderrLinesWith("M0_FILES_ROOT=" + outside + "/none"));
        }
    }
}
