package m0.http.parse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import m0.bytes.Span;
import m0.http.Limits;
import m0.http.Method;
import m0.http.Request;
import org.junit.jupiter.api.Test;

/** What an application asks of a request that has been read. */
class RequestLookUpTest {
    private final RequestHead head = new RequestHead(Limits.DEFAULT);

    @Test
    void pathsAreComparedDecodedAndWhole() {
        Request request = target("/caf%65/a%2Fb?x");
        assertTrue(request.pathIs("/cafe/a/b"));
        assertFalse(request.pathIs("/cafe/a"));
        assertFalse(request.pathIs("/cafe/a/bc"));
        assertFalse(request.pathIs("/caf%65/a%2Fb"));
        assertTrue(request.pathStartsWith("/cafe/"));
        assertTrue(request.pathStartsWith("/cafe/a/b"));
        assertFalse(request.pathStartsWith("/cafe/a/bc"));
        assertFalse(request.pathStartsWith("/cafe/a/b?x"));
        assertFalse(request.pathStartsWith("/caf%"));
        assertEquals("/cafe/a/b", request.path());
        assertEquals("/caf%65/a%2Fb", request.rawPath());
    }

    @Test
    void everyOctetCanBeEscaped() {
        for (int octet = 0; octet < 256; octet++) {
            String escape = String.format("%%%02x", octet);
            byte[] decoded = {(byte) octet};
            assertEquals("/" + new String(decoded, StandardCharsets.UTF_8),
                    target("/" + escape).path());
            assertEquals(octet < 0x80, target("/" + escape).pathIs("/" + (char) (octet & 0x7f)));
        }
    }

    @Test
    void pathsWithoutEscapesAreComparedAsTheyAre() {
        Request request = target("/health?a%20b");
        assertTrue(request.pathIs("/health"));
        assertFalse(request.pathIs("/healt"));
        assertFalse(request.pathIs("/healthy"));
        assertFalse(request.pathIs("/Health"));
        assertTrue(request.pathStartsWith("/hea"));
        assertTrue(request.pathStartsWith(""));
        assertFalse(request.pathStartsWith("/health?"));
    }

    @Test
    void anEscapedOctetAboveAsciiIsNoCharacterOfThePath() {
        Request request = target("/%C3%A9");
        assertFalse(request.pathIs("/?"));
        assertFalse(request.pathStartsWith("/A"));
        assertEquals("/\u00e9", request.path());
    }

    @Test
    void anAbsoluteTargetWithoutAPathIsTheRoot() {
        Request request = target("http://h%41?q=1");
        assertTrue(request.pathIs("/"));
        assertFalse(request.pathIs(""));
        assertTrue(request.pathStartsWith("/"));
        assertFalse(request.pathStartsWith("/a"));
        assertEquals("/", request.path());
        assertEquals("/", request.rawPath());
        assertEquals("h%41", request.authority());
        assertEquals("q=1", request.query());
    }

    @Test
    void queryParametersAreDecodedAndTheFirstCounts() {
        Request request = target("/?a=1&b=x+y%2B%3d&&c&a=2&d=&e==&%66=6&=7");
        assertEquals("1", request.queryParameter("a"));
        assertEquals("x y+=", request.queryParameter("b"));
        assertEquals("", request.queryParameter("c"));
        assertEquals("", request.queryParameter("d"));
        assertEquals("=", request.queryParameter("e"));
        assertEquals("6", request.queryParameter("f"));
        assertEquals("7", request.queryParameter(""));
        assertNull(request.queryParameter("g"));
        assertNull(request.queryParameter("A"));
    }

    @Test
    void aQuerysMalformedEscapesStandForThemselves() {
        Request request = target("/?a=%&b=%4&c=%zz%41");
        assertEquals("%", request.queryParameter("a"));
        assertEquals("%4", request.queryParameter("b"));
        assertEquals("%zzA", request.queryParameter("c"));
    }

    @Test
    void aTargetWithoutAQueryHasNoParameters() {
        assertNull(target("/").queryParameter("a"));
        assertEquals("", target("/").query());
        assertEquals("", target("/?").query());
    }

    @Test
    void fieldsAreFoundInAnyLetterCase() {
        Request request = fields("X-One: 1", "x-two:  a b ", "X-ONE: 3", "E:");
        var value = new Span();
        assertTrue(request.header("x-oNE", value));
        assertEquals("1", value.toString());
        assertTrue(request.header("e", value));
        assertEquals(0, value.length());
        assertFalse(request.header("X-On", value));
        assertFalse(request.header("X-One:", value));
        assertEquals("a b", request.header("X-Two"));
        assertEquals("", request.header("E"));
        assertNull(request.header("X-Three"));
        assertTrue(request.headerIs("X-Two", "A B"));
        assertFalse(request.headerIs("X-One", "3"));
        assertFalse(request.headerIs("X-Three", ""));
    }

    @Test
    void tokensAreFoundOverAllLines() {
        Request request = fields("C: a, b", "D: z", "c: ,\tX-Long ,d;q=1", "E: a b");
        for (String token : new String[] {"a", "B", "x-long", "d;q=1"}) {
            assertTrue(request.headerHasToken("C", token), token);
        }
        for (String token : new String[] {"x", "long", "d", "z", "a, b"}) {
            assertFalse(request.headerHasToken("C", token), token);
        }
        assertFalse(request.headerHasToken("E", "a"));
        assertFalse(request.headerHasToken("F", "a"));
    }

    @Test
    void fieldsAreListedAsTheyCame() {
        Request request = fields("X-One: 1", "x-two: \t2");
        assertEquals(3, request.fieldCount());
        assertEquals("x-two", request.fieldName(2));
        assertEquals("2", request.fieldValue(2));
        assertThrows(IndexOutOfBoundsException.class, () -> request.fieldName(3));
        assertThrows(IndexOutOfBoundsException.class, () -> request.fieldValue(-1));
    }

    /** A Host that is not there has no place, least of all that of an earlier request's. */
    @Test
    void anAbsoluteTargetWithoutHostLeavesTheFieldsAlone() {
        String absolute = "GET http://b/ HTTP/1.0\r\nXost: c\r\n\r\n";
        parse(octets(absolute.replace("Xost", "Host")));
        Request request = parse(octets(absolute));
        assertEquals("c", request.header("Xost"));
        assertEquals("b", request.authority());
    }

    @Test
    void everyPathBeginsWithNothingAndASlash() {
        Request request = target("/%C3");
        assertTrue(request.pathStartsWith("/"));
        assertTrue(request.pathStartsWith(""));
    }

    @Test
    void theFirstFieldIsComparedToo() {
        assertTrue(target("/").headerIs("host", "H"));
        assertThrows(IndexOutOfBoundsException.class, () -> head.fieldValue(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> head.fieldName(-4));
    }

    @Test
    void moreFieldsThanTheFirstTableHoldsAreAllThere() {
        String[] lines = new String[99];
        Arrays.setAll(lines, index -> "X-" + index + ": " + index);
        Request request = fields(lines);
        assertEquals(100, request.fieldCount());
        for (int index = 0; index < lines.length; index++) {
            assertEquals(String.valueOf(index), request.header("x-" + index));
        }
    }

    @Test
    void aCopyOutlivesTheBytesItCameFrom() {
        byte[] bytes = octets("junkPUT /a%20b?c=d HTTP/1.1\r\nHost: h\r\nX: y\r\n"
                + "Content-Length: 3\r\n\r\nabc");
        var remote = new InetSocketAddress("127.0.0.1", 1);
        head.begin(4);
        assertEquals(Outcome.DONE, head.parse(bytes, bytes.length));
        head.attachBody(bytes, head.position(), 3);
        var local = new InetSocketAddress("127.0.0.1", 2);
        head.attachAddresses(remote, local);
        Request copy = head.copy();
        Arrays.fill(bytes, (byte) '!');
        parse(octets("GET / HTTP/1.0\r\n\r\n"));
        assertEquals(Method.PUT, copy.method());
        assertEquals("PUT", copy.methodName());
        assertEquals(1, copy.versionMinor());
        assertTrue(copy.pathIs("/a b"), "the path of the copy");
        assertEquals("/a%20b?c=d", copy.target());
        assertEquals("d", copy.queryParameter("c"));
        assertEquals("h", copy.authority());
        assertEquals("y", copy.header("x"));
        assertEquals(3, copy.bodyLength());
        assertArrayEquals(octets("abc"), copy.body());
        assertEquals(remote, copy.remote());
        assertEquals(local, copy.local());
        assertEquals("abc", new String(copy.copy().body(), StandardCharsets.US_ASCII));
    }

    @Test
    void aBodyIsEmptyUntilItIsAttached() {
        Request request = target("/");
        var body = new Span();
        request.body(body);
        assertEquals(0, body.length());
        assertEquals(0, request.body().length);
        head.attachBody(octets("xabcx"), 1, 3);
        request.body(body);
        assertEquals("abc", body.toString());
        assertEquals(3, request.bodyLength());
    }

    private Request target(String target) {
        return parse(octets("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n"));
    }

    private Request fields(String... lines) {
        return parse(octets("GET / HTTP/1.1\r\nHost: h\r\n" + String.join("\r\n", lines)
                + "\r\n\r\n"));
    }

    private Request parse(byte[] bytes) {
        head.begin(0);
        assertEquals(Outcome.DONE, head.parse(bytes, bytes.length), () -> "" + head.violation());
        return head;
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
