package static_files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** J202, J203: validators, conditions in the order of RFC 9110 §13.2.2, and one range. */
@Gate
class ConditionalGate {
    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String MODIFIED = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";

    @TempDir
    private static Path outside;
    private static Site site;
    private static ServerProcess server;

    @BeforeAll
    static void start() {
        site = new Site(outside);
        site.file("empty.txt", "");
        server = site.plan().set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** {@code TAG} stands for the file's entity tag, {@code |} for a line's end. */
    private static Reply conditional(RawClient client, String fields) {
        String tag = client.get("/a.txt").expect(200).header("ETag");
        return Site.ask(client, "GET", "/a.txt", fields.replace("TAG", tag).split("\\|"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "If-None-Match: TAG", "If-None-Match: W/TAG", "If-None-Match: *",
        "If-None-Match: \"a,b\", TAG", "If-None-Match: \"old\"|If-None-Match: TAG",
        "If-None-Match: TAG|If-Modified-Since: " + BEFORE,
        "If-Modified-Since: " + MODIFIED, "If-Modified-Since: " + AFTER,
        "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT",
        "If-Modified-Since: Sun Nov  6 08:49:37 1994",
        "If-Match: TAG|If-None-Match: TAG", "If-None-Match: TAG|Range: bytes=99-",
    })
    void whatTheClientHasIs304(String fields) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = conditional(client, fields).expect(304).expectOpen();
            assertEquals(client.get("/a.txt").header("ETag"), reply.header("ETag"));
            assertNull(reply.header("Content-Type"), "in " + reply);
            client.get("/a.txt").expect(200).expectBody("0123456789");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "If-None-Match: \"old\"", "If-None-Match: \"old\"|If-Modified-Since: " + AFTER,
        "If-Modified-Since: " + BEFORE, "If-Modified-Since: yesterday",
        "If-Modified-Since: " + AFTER + "|If-Modified-Since: " + AFTER,
        "If-Match: TAG", "If-Match: *", "If-Match: \"old\", TAG",
        "If-Match: TAG|If-Unmodified-Since: " + BEFORE, "If-Unmodified-Since: " + MODIFIED,
        "If-Unmodified-Since: yesterday",
    })
    void whatTheClientHasNotIs200(String fields) {
        try (RawClient client = RawClient.connect(server)) {
            conditional(client, fields).expect(200).expectBody("0123456789").expectOpen();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "If-Match: \"old\"", "If-Match: W/TAG", "If-Match: \"old\"|If-None-Match: TAG",
        "If-Unmodified-Since: " + BEFORE, "If-Unmodified-Since: " + BEFORE + "|If-None-Match: TAG",
    })
    void aConditionThatFailsIs412(String fields) {
        try (RawClient client = RawClient.connect(server)) {
            conditional(client, fields).expect(412).expectOpen();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0,     0,          bytes 0-0/10",
        "bytes=2-5,     2345,       bytes 2-5/10",
        "bytes=7-,      789,        bytes 7-9/10",
        "bytes=7-999,   789,        bytes 7-9/10",
        "bytes=-3,      789,        bytes 7-9/10",
        "bytes=-999,    0123456789, bytes 0-9/10",
        "bytes=0-9,     0123456789, bytes 0-9/10",
    })
    void oneRangeIsThatPart(String range, String body, String contentRange) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = conditional(client, "Range: " + range).expect(206).expectBody(body);
            assertEquals(contentRange, reply.header("Content-Range"), "of " + range);
            assertEquals(client.get("/a.txt").header("ETag"), reply.header("ETag"));
            client.get("/a.txt").expect(200).expectBody("0123456789");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10-", "bytes=10-12", "bytes=-0",
        "bytes=99999999999999999999999-"})
    void aRangeBehindTheEndIs416(String range) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = conditional(client, "Range: " + range).expect(416).expectOpen();
            assertEquals("bytes */10", reply.header("Content-Range"), "of " + range);
        }
    }

    @Test
    void anEmptyFileHasNoRange() {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = Site.ask(client, "GET", "/empty.txt", "Range: bytes=0-").expect(416);
            assertEquals("bytes */0", reply.header("Content-Range"));
            Site.ask(client, "GET", "/empty.txt", "Range: bytes=-5").expect(200).expectBody("");
            client.get("/empty.txt").expect(200).expectBody("").expectOpen();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-1,3-4", "bytes=0-1, -1", "bytes=5-2", "bytes=-", "bytes=a-b",
        "bytes=1--2", "lines=0-1", "bytes=0-1|Range: bytes=3-4"})
    void severalRangesAndWhatIsMalformedAreTheWholeFile(String range) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = conditional(client, "Range: " + range).expect(200)
                    .expectBody("0123456789");
            assertNull(reply.header("Content-Range"), "of " + range + " in " + reply);
        }
    }

    @Test
    void ifRangeOfThisStateIsThePart() {
        try (RawClient client = RawClient.connect(server)) {
            conditional(client, "Range: bytes=2-5|If-Range: TAG").expect(206).expectBody("2345");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"old\"", "W/TAG", BEFORE, MODIFIED, AFTER, "yesterday",
        "TAG|If-Range: TAG"})
    void ifRangeOfAnotherStateIsTheWholeFile(String validator) {
        try (RawClient client = RawClient.connect(server)) {
            conditional(client, "Range: bytes=2-5|If-Range: " + validator).expect(200)
                    .expectBody("0123456789");
            conditional(client, "Range: bytes=99-|If-Range: " + validator).expect(200)
                    .expectBody("0123456789");
        }
    }

    @Test
    void headHasNoRange() {
        try (RawClient client = RawClient.connect(server)) {
            Reply head = Site.ask(client, "HEAD", "/a.txt", "Range: bytes=2-5").expect(200);
            assertEquals("10", head.header("Content-Length"));
        }
    }

    /** Within the same second, and of the same size. */
    @Test
    void aFileThatChangesHasAnotherTag() throws IOException {
        Path changing = site.file("changing.txt", "one");
        try (RawClient client = RawClient.connect(server)) {
            String tag = client.get("/changing.txt").expectBody("one").header("ETag");
            Files.writeString(changing, "two");
            Files.setLastModifiedTime(changing, FileTime.from(Site.MODIFIED.plusNanos(1000)));
            Reply reply = Site.ask(client, "GET", "/changing.txt", "If-None-Match: " + tag)
                    .expect(200).expectBody("two");
            assertNotEquals(tag, reply.header("ETag"), "the tag of what has changed");
            assertEquals(MODIFIED, reply.header("Last-Modified"));
        }
    }

    @Test
    void noChangeIsSaidToBeStillToCome() throws IOException {
        Path future = site.file("future.txt", "future");
        Files.setLastModifiedTime(future, FileTime.from(Site.MODIFIED.plusSeconds(4_000_000_000L)));
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.get("/future.txt").expect(200);
            long apartSeconds = Math.abs(Duration.between(time(reply, "Date"),
                    time(reply, "Last-Modified")).toSeconds());
            assertTrue(apartSeconds < 60, "the day of the last change in " + reply);
        }
    }

    private static ZonedDateTime time(Reply reply, String field) {
        return ZonedDateTime.parse(reply.header(field), DateTimeFormatter.RFC_1123_DATE_TIME);
    }

    @Test
    void conditionsOfWhatIsNotThereAreIgnored() {
        try (RawClient client = RawClient.connect(server)) {
            Site.ask(client, "GET", "/none", "If-Match: *").expect(404);
            Site.ask(client, "GET", "/none", "If-None-Match: *").expect(404);
            Site.ask(client, "POST", "/a.txt", "If-None-Match: *").expect(405);
        }
    }
}
