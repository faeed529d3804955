package static_files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** J205: what <em>files</em> is told by its settings, and where it answers. */
@Gate
class FilesStartGate {
    private static final Duration EXIT = Duration.ofSeconds(30);

    @TempDir
    private Path outside;

    @Test
    void withoutARootItDoesNotStart() {
        refused(ServerProcess.app("files"), "M0_FILES_ROOT is not set");
        refused(ServerProcess.app("files").set("M0_FILES_ROOT", ""), "M0_FILES_ROOT is not set");
    }

    @Test
    void withARootThatIsNoDirectoryItDoesNotStart() {
        Site site = new Site(outside);
        refused(ServerProcess.app("files").set("M0_FILES_ROOT", outside + "/none"),
                "M0_FILES_ROOT=" + outside + "/none");
        refused(ServerProcess.app("files").set("M0_FILES_ROOT", site.root() + "/a.txt"),
                "M0_FILES_ROOT=" + site.root() + "/a.txt");
        refused(site.plan().set("M0_BLOCKING_THREADS", "2").set("M0_FILES_ROOT", outside + "/none"),
                "M0_FILES_ROOT=" + outside + "/none");
    }

    @Test
    void anOptionThatCannotBeUsedIsNamed() {
        Site site = new Site(outside);
        refused(site.plan().set("M0_FILES_HIDDEN", "yes"), "M0_FILES_HIDDEN=yes");
        refused(site.plan().set("M0_FILES_CACHE_CONTROL", "a\nb"), "M0_FILES_CACHE_CONTROL");
    }

    private static void refused(ServerProcess.Plan plan, String words) {
        try (ServerProcess server = plan.launch()) {
            assertEquals(78, server.awaitExit(EXIT), "the exit code where " + words);
            String said = server.stderr();
            assertTrue(said.contains(words), "<" + words + "> is not in <" + said + ">");
            assertEquals("", server.listeningLine());
        }
    }

    @Test
    void itAnswersOnTheLaneWhereThereIsOne() {
        Site site = new Site(outside);
        for (int threads = 0; threads <= 1; threads++) {
            try (ServerProcess server = site.plan().set("M0_ACCESS_LOG", "1")
                    .set("M0_BLOCKING_THREADS", String.valueOf(threads)).start();
                    RawClient client = RawClient.connect(server)) {
                client.get("/a.txt").expect(200).expectBody("0123456789");
                server.awaitStdout("\"target\":\"/a.txt\"", RawClient.WAIT);
                server.awaitStdout("\"thread\":" + (threads - 1), RawClient.WAIT);
            }
        }
    }

    @Test
    void severalLoopsWithLanesServeIt() {
        Site site = new Site(outside);
        try (ServerProcess server = site.plan().set("M0_THREADS", "2")
                .set("M0_BLOCKING_THREADS", "2").start()) {
            for (int count = 0; count < 8; count++) {
                try (RawClient client = RawClient.connect(server)) {
                    client.get("/a.txt").expect(200).expectBody("0123456789");
                }
            }
        }
    }
}
