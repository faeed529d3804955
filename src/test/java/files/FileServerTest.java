package files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.http.parse.Requests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileServerTest {
    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws IOException {
        Files.writeString(root.resolve("a.txt"), "a");
        Files.writeString(root.resolve(".hidden"), "h");
    }

    private FakeHostContext context() {
        return new FakeHostContext().with("M0_FILES_ROOT", root.toString());
    }

    private static int status(AppHandler handler, String target) throws Exception {
        return handler.handle(Requests.get(target)).status();
    }

    @Test
    void servesTheRoot() throws Exception {
        try (AppHandler handler = new FileServer().make(context())) {
            assertEquals(200, status(handler, "/a.txt"));
            assertEquals(404, status(handler, "/.hidden"));
            assertEquals(404, status(handler, "/b.txt"));
        }
    }

    @Test
    void servesThemUnderItsPrefix() throws Exception {
        try (AppHandler handler = new FileServer().make(context().withPrefix("/x"))) {
            assertEquals(200, status(handler, "/x/a.txt"));
            assertEquals(404, status(handler, "/a.txt"));
            assertEquals(404, status(handler, "/xa.txt"));
        }
    }

    @Test
    void optionsAreSettings() throws Exception {
        FakeHostContext context = context().with("M0_FILES_HIDDEN", "1")
                .with("M0_FILES_CACHE_CONTROL", "no-cache");
        try (AppHandler handler = new FileServer().make(context)) {
            assertEquals(200, status(handler, "/.hidden"));
            assertEquals("no-cache", handler.handle(Requests.get("/a.txt")).field("Cache-Control"));
        }
        try (AppHandler handler = new FileServer().make(context().with("M0_FILES_HIDDEN", "0"))) {
            assertEquals(404, status(handler, "/.hidden"));
        }
    }

    @Test
    void whatCannotBeUsedIsNamed() {
        refused(new FakeHostContext(), "M0_FILES_ROOT is not set");
        refused(new FakeHostContext().with("M0_FILES_ROOT", root + "/none"),
                "M0_FILES_ROOT=" + root + "/none is no directory");
        refused(new FakeHostContext().with("M0_FILES_ROOT", root + "/a.txt"),
                "M0_FILES_ROOT=" + root + "/a.txt is no directory");
        refused(new FakeHostContext().with("M0_FILES_ROOT", "a\0b"), "M0_FILES_ROOT=");
        refused(context().with("M0_FILES_HIDDEN", "yes"), "M0_FILES_HIDDEN=yes");
        refused(context().with("M0_FILES_CACHE_CONTROL", "a\nb"), "M0_FILES_CACHE_CONTROL");
    }

    private static void refused(FakeHostContext context, String words) {
        String said = assertThrows(IllegalArgumentException.class,
                () -> new FileServer().make(context)).getMessage();
        assertTrue(said.contains(words), "<" + words + "> is not in <" + said + ">");
    }

    @Test
    void itsSettingsAreItsOwnAndOneHandlerServesManyJobs() {
        assertTrue(new FileServer().settings().contains("M0_FILES_ROOT"));
        assertTrue(new FileServer().handlerShared());
        assertTrue(new FileServer().poolAllowed());
    }
}
