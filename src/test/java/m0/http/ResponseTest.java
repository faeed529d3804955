package m0.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResponseTest {
    private static final int FIELDS_TRIED = 20_000;
    private static final String HOSTILE = "\r\n\0\t :;,\"\\\u007f\u0080\u0085\u00a0\u00ff\u010a"
            + "\u010d\u2028\ud83d\ude00\ud800aZ09-_%=";

    /** G1, G2, G19: whatever a name and a value are, they are refused or are one line. */
    @Test
    void aFieldIsRefusedOrLeavesExactlyOneLine() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        int refused = 0;
        for (int n = 0; n < FIELDS_TRIED; n++) {
            String name = random.nextBoolean() ? "X-Any" : hostile(random);
            String value = hostile(random);
            String told = "seed=" + seed + " name=" + name + " value=" + value;
            Response.Builder builder = Response.status(200).header("Before", "1");
            try {
                builder.header(name, value);
            } catch (IllegalArgumentException e) {
                refused++;
                name = null;
            }
            Response response = builder.header("After", "2").build();
            assertEquals(expected(name, value), lines(response), told);
        }
        assertTrue(refused > FIELDS_TRIED / 10 && refused < FIELDS_TRIED * 9 / 10,
                "refused=" + refused + " of " + FIELDS_TRIED);
    }

    private static List<String> expected(String name, String value) {
        var lines = new ArrayList<>(List.of("HTTP/1.1 200 OK", "Before: 1"));
        if (name != null) {
            byte[] line = (name + ": " + value).getBytes(StandardCharsets.UTF_8);
            lines.add(new String(line, StandardCharsets.UTF_8));
        }
        lines.addAll(List.of("After: 2", "Server: m0", "Content-Length: 0"));
        return lines;
    }

    private static String hostile(Random random) {
        var text = new StringBuilder();
        for (int length = random.nextInt(6); length > 0; length--) {
            // Harmless most of the time, so that a good part of the fields passes.
            text.append(random.nextInt(4) > 0 ? (char) ('a' + random.nextInt(26))
                    : HOSTILE.charAt(random.nextInt(HOSTILE.length())));
        }
        return text.toString();
    }

    @Test
    void refusesLineBreaksAndNulInAValue() {
        for (String value : new String[] {"a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\0b", "\u007f"}) {
            var builder = Response.status(200);
            assertThrows(IllegalArgumentException.class,
                    () -> builder.header("Location", value), "value=" + value);
            assertThrows(IllegalArgumentException.class, () -> builder.contentType(value));
        }
    }

    @Test
    void refusesANameThatIsNoToken() {
        for (String name : new String[] {"", "a b", "a:", "a\r\nb", "a\n", "\u00e9", "a\0"}) {
            var builder = Response.status(200);
            assertThrows(IllegalArgumentException.class,
                    () -> builder.header(name, "v"), "name=" + name);
        }
    }

    @Test
    void valuesAboveAsciiLeaveAsUtf8AndLoseNoBits() {
        // U+010D and U+010A end in the octets of CR and LF.
        var response = Response.status(200).header("X", "\u010d\u010a").build();
        assertTrue(head(response).contains("X: \u010d\u010a\r\n"));
    }

    @Test
    void refusesStatusesThatAreNoFinalAnswer() {
        for (int status : new int[] {0, 100, 101, 199, 600, -200}) {
            assertThrows(IllegalArgumentException.class, () -> Response.status(status));
        }
    }

    @Test
    void aStatusWithoutAPhraseKeepsTheBlankBeforeIt() {
        assertEquals("HTTP/1.1 299 ", lines(Response.empty(299)).get(0));
    }

    @Test
    void theHostAloneFrames() {
        var response = Response.status(200).header("Content-Length", "99")
                .header("transfer-encoding", "chunked").header("Connection", "upgrade")
                .header("Keep-Alive", "timeout=1").header("DATE", "never").body("hello").build();
        assertEquals(List.of("HTTP/1.1 200 OK", "Server: m0", "Content-Length: 5"),
                lines(response));
    }

    @Test
    void aServerIsNamedOnce() {
        var response = Response.status(200).header("server", "one").header("Server", "two").build();
        assertEquals(List.of("HTTP/1.1 200 OK", "Server: one", "Content-Length: 0"),
                lines(response));
    }

    /** RFC 9110 §7.8: a proxy is not to pass the field on. */
    @Test
    void whatNamesAnUpgradeNamesItAmongTheConnectionsOptions() {
        var response = Response.status(426).header("upgrade", "websocket").build();
        assertEquals(List.of("HTTP/1.1 426 Upgrade Required", "upgrade: websocket",
                "Connection: Upgrade", "Server: m0", "Content-Length: 0"), lines(response));
    }

    /** A21: no length, coding or body whoever set them. */
    @Test
    void aStatusWithoutContentHasNoLength() {
        var response = Response.status(204).header("Content-Length", "5")
                .header("Transfer-Encoding", "chunked").body("hello").build();
        assertEquals(List.of("HTTP/1.1 204 No Content", "Server: m0"), lines(response));
        assertFalse(Status.hasContent(204));
        assertFalse(Status.hasContent(100));
    }

    @Test
    void aResetContentIsEmpty() {
        assertEquals(List.of("HTTP/1.1 205 Reset Content", "Server: m0", "Content-Length: 0"),
                lines(Response.status(205).body("hello").build()));
        assertFalse(Status.hasContent(205));
    }

    @Test
    void notModifiedKeepsTheLengthItsHandlerSet() {
        var response = Response.status(304).header("content-length", "1234").body("no").build();
        assertEquals(List.of("HTTP/1.1 304 Not Modified", "Server: m0", "Content-Length: 1234"),
                lines(response));
        assertFalse(Status.hasContent(304));
    }

    @Test
    void notModifiedDropsALengthThatIsNoNumber() {
        for (String length : new String[] {"", "-1", "1, 1", "a"}) {
            var response = Response.status(304).header("Content-Length", length).build();
            assertEquals(List.of("HTTP/1.1 304 Not Modified", "Server: m0"), lines(response));
        }
    }

    @Test
    void lengthsComeFromTheBody() {
        byte[] bytes = {1, 2, 3, 4};
        assertTrue(head(Response.status(200).body(bytes, 1, 2).build())
                .endsWith("Content-Length: 2\r\n"));
        assertTrue(head(Response.status(200).file(Path.of("f"), 5, 6_000_000_000L).build())
                .endsWith("Content-Length: 6000000000\r\n"));
        assertTrue(head(Response.text(200, "\u00e9")).endsWith("Content-Length: 2\r\n"));
        assertFalse(head(Response.status(200).chunks(into -> false).build())
                .contains("Content-Length"));
    }

    @Test
    void refusesABodyOutsideItsArrayOrFile() {
        var builder = Response.status(200);
        assertThrows(IndexOutOfBoundsException.class, () -> builder.body(new byte[2], 1, 2));
        assertThrows(IllegalArgumentException.class, () -> builder.file(Path.of("f"), -1, 2));
        assertThrows(IllegalArgumentException.class, () -> builder.file(Path.of("f"), 0, -1));
    }

    @Test
    void anotherBuilderStartsFromAResponseAndLeavesItAlone() {
        var first = Response.status(201).header("X", "1").body("a").close().build();
        byte[] head = first.encodedHead().clone();
        var second = first.toBuilder().header("Y", "2").build();
        assertArrayEquals(head, first.encodedHead());
        assertEquals(List.of("HTTP/1.1 201 Created", "X: 1", "Y: 2", "Server: m0",
                "Content-Length: 1"), lines(second));
        assertTrue(second.close());
        assertEquals(first.body(), second.body());
        assertEquals("1", second.field("x"));
        assertNull(first.field("Y"));
        assertNotNull(second.field("y"));
    }

    /** The head's lines; throws where a line break does not end one, or the last one is missing. */
    private static List<String> lines(Response response) {
        String head = head(response);
        String[] lines = head.split("\r\n", -1);
        assertEquals("", lines[lines.length - 1], "the last line ends in CRLF");
        for (String line : lines) {
            assertTrue(line.indexOf('\r') < 0 && line.indexOf('\n') < 0 && line.indexOf('\0') < 0,
                    "line=" + line);
        }
        return List.of(lines).subList(0, lines.length - 1);
    }

    private static String head(Response response) {
        return new String(response.encodedHead(), StandardCharsets.UTF_8);
    }

    @Test
    void refusesAnInitialFrameThatWouldEndTheStream() {
        assertThrows(IllegalArgumentException.class, () -> Response.status(200)
                .events("news", StreamPolicy.LOG, true, List.of(new byte[0])));
    }
}
