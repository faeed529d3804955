package m0.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Random;
import m0.http.Body;
import m0.http.FileState;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StaticFilesTest {
    private static final Instant MODIFIED = Instant.ofEpochSecond(784111777, 123_456_789);
    private static final String LAST_MODIFIED = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final int PATHS = 20_000;

    @TempDir
    private Path directory;
    private Path root;
    private StaticFiles files;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        Files.writeString(directory.resolve("secret.txt"), "secret");
        Files.createDirectory(directory.resolve("root-beside"));
        Files.writeString(directory.resolve("root-beside/a.txt"), "secret");
        write("a.txt", "0123456789");
        write("empty.bin", "");
        write("%61.txt", "percent");
        write("back\\slash.txt", "never");
        write(".hidden", "never");
        write("sub/index.html", "<p>index</p>");
        write("sub/b.css", "b{}");
        write("bare/c.txt", "c");
        write("odd/index.html/d.txt", "d");
        Files.createSymbolicLink(root.resolve("out.txt"), directory.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("out"), directory);
        Files.createSymbolicLink(root.resolve("beside"), directory.resolve("root-beside"));
        Files.createSymbolicLink(root.resolve("loop"), root.resolve("loop"));
        Files.createSymbolicLink(root.resolve("inside.txt"), root.resolve("a.txt"));
        Files.createDirectory(root.resolve("trap"));
        Files.createSymbolicLink(root.resolve("trap/index.html"),
                directory.resolve("secret.txt"));
        files = new StaticFiles("", FilesConfig.of(root));
    }

    private void write(String name, String text) throws IOException {
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        Files.setLastModifiedTime(path, FileTime.from(MODIFIED));
    }

    private Response get(String target, String... fields) {
        return ask("GET", target, fields);
    }

    private Response ask(String method, String target, String... fields) {
        var lines = new StringBuilder();
        for (String field : fields) {
            lines.append(field).append("\r\n");
        }
        return files.answer(Requests.of(method, target, lines.toString()));
    }

    private Body.FileRegion region(String name, long offset, long length) throws IOException {
        return new Body.FileRegion(real(name), offset, length, FileState.of(
                Files.readAttributes(real(name), BasicFileAttributes.class)));
    }

    private static Body.FileRegion region(Response response) {
        return assertInstanceOf(Body.FileRegion.class, response.body());
    }

    @Test
    void aFileIsServedWithItsValidatorsAndItsType() throws IOException {
        Response answer = get("/a.txt");
        assertEquals(200, answer.status());
        assertEquals(region("a.txt", 0, 10), region(answer), "the file and its state");
        assertEquals("text/plain; charset=utf-8", answer.field("Content-Type"));
        assertEquals(LAST_MODIFIED, answer.field("Last-Modified"));
        assertEquals("\"a-2ebc98a1.75bcd15\"", answer.field("ETag"));
        assertEquals("bytes", answer.field("Accept-Ranges"));
        assertEquals("nosniff", answer.field("X-Content-Type-Options"));
        assertNull(answer.field("Cache-Control"));
    }

    private Path real(String name) {
        try {
            return root.resolve(name).toRealPath();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/a.txt,          a.txt",
        "/a%2Etxt,        a.txt",
        "/inside.txt,     a.txt",
        "/%2561.txt,      %61.txt",
        "/sub/,           sub/index.html",
        "/sub/index.html, sub/index.html",
        "/sub/b.css,      sub/b.css",
        "/sub/b.css?v=1,  sub/b.css",
        "/bare/c.txt,     bare/c.txt",
    })
    void whatIsThereIsServed(String target, String name) {
        Response answer = get(target);
        assertEquals(200, answer.status(), target);
        assertEquals(real(name), region(answer).path(), target);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/", "/none", "/a.txt/", "/a.txt/b", "/bare/", "/odd/", "/sub/none", "/.hidden", "/%2ehidden",
        "/out.txt", "/out/secret.txt", "/out/root/a.txt/", "/beside/a.txt", "/loop", "/trap/",
        "/back%5Cslash.txt", "/sub%2Findex.html", "/%252e%252e/secret.txt", "/sub/../a.txt",
        "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/..%5csecret.txt", "//a.txt",
        "/sub//b.css", "/a.txt%00", "/a.txt%00.css", "/./a.txt", "/%61%00",
    })
    void whatIsNotToBeServedIsNotThere(String target) {
        Response answer = get(target);
        assertEquals(404, answer.status(), "the status of " + target);
        assertEquals("nosniff", answer.field("X-Content-Type-Options"));
    }

    @Test
    void aNameThatIsTooLongIsNotThere() {
        assertEquals(404, get("/" + "n".repeat(300)).status());
        assertEquals(404, get("/n".repeat(2500)).status());
    }

    @Test
    void aDirectoryWithoutItsSlashIsSentToItself() {
        assertEquals(301, get("/sub").status());
        assertEquals("/sub/", get("/sub").field("Location"));
        assertEquals("/sub/?a=b&c", get("/sub?a=b&c").field("Location"));
        assertEquals("/bare/", get("/bare").field("Location"));
        assertEquals("/sub/", get("http://evil.example/sub").field("Location"));
    }

    @Test
    void noRedirectLeavesItsHost() throws IOException {
        Files.createDirectory(root.resolve("evil.example"));
        Files.createDirectory(root.resolve("a b"));
        Files.createDirectory(root.resolve("sub/evil.example"));
        for (String target : new String[] {"//evil.example", "//evil.example/", "///evil.example",
            "/%2fevil.example", "/%5cevil.example", "/\\evil.example", "/%09/evil.example",
            "/.//evil.example", "/sub/..//evil.example"}) {
            assertEquals(404, get(target).status(), target);
        }
        assertEquals("/evil.example/", get("/evil.example").field("Location"));
        assertEquals("/a%20b/", get("/a%20b").field("Location"));
        assertEquals("/sub/evil.example/?//evil", get("/sub/evil.example?//evil").field("Location"));
    }

    @Test
    void otherMethodsAreToldWhichAreAllowed() {
        for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"}) {
            Response answer = ask(method, "/a.txt");
            assertEquals(405, answer.status(), method);
            assertEquals("GET, HEAD", answer.field("Allow"), "Allow for " + method);
        }
    }

    @Test
    void underAPrefixItKnowsNothingElse() throws IOException {
        files = new StaticFiles("/x/y", FilesConfig.of(root));
        assertEquals(200, get("/x/y/a.txt").status());
        assertEquals(404, get("/x/y/none").status());
        for (String target : new String[] {"/a.txt", "/", "/x", "/x/", "/x/ya.txt", "/x/y.txt",
            "/X/y/a.txt", "/x%2fy/a.txt", "//x/y/a.txt", "/x/%79/a.txt"}) {
            assertNull(get(target), target);
        }
        assertNull(ask("POST", "/elsewhere"));
        assertEquals(405, ask("POST", "/x/y/none").status());
        assertEquals("/x/y/", get("/x/y").field("Location"));
        assertEquals("/x/y/sub/?q", get("/x/y/sub?q").field("Location"));
    }

    @Test
    void hiddenFilesAndCacheControlAreOptions() throws IOException {
        files = new StaticFiles("", FilesConfig.of(root).withHiddenFiles()
                .withCacheControl("public, max-age=60"));
        assertEquals(200, get("/.hidden").status());
        assertEquals(404, get("/./.hidden").status());
        assertEquals("public, max-age=60", get("/a.txt").field("Cache-Control"));
        assertEquals("public, max-age=60",
                get("/a.txt", "If-None-Match: *").field("Cache-Control"));
        assertNull(get("/none").field("Cache-Control"));
    }

    @Test
    void whatCannotBeServedIsRefusedAtOnce() {
        assertThrows(NoSuchFileException.class,
                () -> new StaticFiles("", FilesConfig.of(root.resolve("none"))));
        assertThrows(NotDirectoryException.class,
                () -> new StaticFiles("", FilesConfig.of(root.resolve("a.txt"))));
        assertThrows(IllegalArgumentException.class,
                () -> new StaticFiles("/x/", FilesConfig.of(root)));
        assertThrows(IllegalArgumentException.class,
                () -> FilesConfig.of(root).withCacheControl("a\r\nX: b"));
    }

    @Test
    void aRootThatIsALinkIsWhatItLeadsTo() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("current"), root);
        files = new StaticFiles("", FilesConfig.of(link));
        assertEquals(200, get("/a.txt").status());
        assertEquals(404, get("/out.txt").status());
    }

    @Test
    void aRangeIsAPart() throws IOException {
        Response part = get("/a.txt", "Range: bytes=2-5");
        assertEquals(206, part.status());
        assertEquals("bytes 2-5/10", part.field("Content-Range"));
        assertEquals(region("a.txt", 2, 4), region(part), "the part and its file's state");
        assertEquals(get("/a.txt").field("ETag"), part.field("ETag"));
    }

    @Test
    void aRangeBehindTheEndIs416WithTheSize() {
        Response refused = get("/a.txt", "Range: bytes=10-");
        assertEquals(416, refused.status());
        assertEquals("bytes */10", refused.field("Content-Range"));
        assertEquals(416, get("/empty.bin", "Range: bytes=0-").status());
    }

    @Test
    void twoRangeLinesAreTheWholeFile() {
        assertEquals(200, get("/a.txt", "Range: bytes=0-1", "Range: bytes=3-4").status(),
                "two lines of Range");
    }

    @Test
    void headIsAnsweredAsGetWithoutItsRange() {
        Response head = ask("HEAD", "/a.txt", "Range: bytes=2-5");
        assertEquals(200, head.status());
        assertEquals(get("/a.txt").fields(), head.fields());
        assertEquals(10, region(head).length());
    }

    @Test
    void conditionsComeBeforeTheRange() {
        String tag = get("/a.txt").field("ETag");
        assertEquals(304, get("/a.txt", "If-None-Match: " + tag, "Range: bytes=99-").status());
        assertEquals(412, get("/a.txt", "If-Match: \"old\"", "Range: bytes=0-1").status());
        assertEquals(206, get("/a.txt", "If-Range: " + tag, "Range: bytes=0-1").status());
        assertEquals(200, get("/a.txt", "If-Range: \"old\"", "Range: bytes=0-1").status());
        assertEquals(200, get("/a.txt", "If-Range: \"old\"", "Range: bytes=99-").status());
    }

    @Test
    void notModifiedSaysTheTagAndNoMore() {
        Response answer = get("/a.txt", "If-Modified-Since: " + LAST_MODIFIED);
        assertEquals(304, answer.status());
        assertNotNull(answer.field("ETag"), "a 304 without its tag");
        assertNull(answer.field("Content-Type"));
        assertEquals(Body.None.NONE, answer.body());
    }

    @Test
    void conditionsOfWhatIsNotThereAreIgnored() {
        assertEquals(404, get("/none", "If-Match: *").status());
        assertEquals(301, get("/sub", "If-None-Match: *").status());
        assertEquals(405, ask("POST", "/a.txt", "If-None-Match: *").status());
    }

    @Test
    void aChangedFileHasAnotherTag() throws IOException {
        String before = get("/a.txt").field("ETag");
        Files.setLastModifiedTime(root.resolve("a.txt"), FileTime.from(MODIFIED.plusNanos(1000)));
        assertNotEquals(before, get("/a.txt").field("ETag"));
        assertEquals(200, get("/a.txt", "If-None-Match: " + before).status());
    }

    /** Anything but a 200 with a file of the root is 404, 301 to the same host, or not answered. */
    @Test
    void whateverThePathNothingOutsideTheRootIsOpened() throws IOException {
        long seed = System.nanoTime();
        var random = new Random(seed);
        Path inside = root.toRealPath();
        String[] pieces = {"/", "/", "/", ".", "..", "%2e", "%2E%2e", "%2f", "%5c", "\\", "%00",
            "%252e", "%252f", "a.txt", "sub", "out", "out.txt", "beside", "secret.txt", "root",
            "trap", "index.html", "inside.txt", "%c0%ae", "%", "%2", "?", "x", "%e9", "~", ":", ";"};
        int served = 0;
        for (String prefix : new String[] {"", "/x"}) {
            files = new StaticFiles(prefix, FilesConfig.of(root).withHiddenFiles());
            for (int count = 0; count < PATHS; count++) {
                var target = new StringBuilder(prefix).append('/');
                for (int length = random.nextInt(6); length > 0; length--) {
                    target.append(pieces[random.nextInt(pieces.length)]);
                }
                String what = "seed=" + seed + " " + target;
                Response answer = answerTo(target.toString());
                if (answer == null) {
                    continue;
                }
                if (answer.body() instanceof Body.FileRegion region) {
                    served++;
                    assertTrue(region.path().toRealPath().startsWith(inside),
                            "outside the root: " + region.path() + " " + what);
                } else if (answer.status() == 301) {
                    String location = answer.field("Location");
                    assertTrue(location.startsWith("/") && !location.startsWith("//"),
                            "to another host: " + location + " " + what);
                } else {
                    assertEquals(404, answer.status(), what);
                }
            }
        }
        assertTrue(served > 100, "vacuous: " + served + " served, seed=" + seed);
    }

    /** Null where the host would not have passed the request on. */
    private Response answerTo(String target) {
        try {
            return get(target);
        } catch (IllegalArgumentException refusedByTheParser) {
            return null;
        }
    }
}
