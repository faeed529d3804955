package m0.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutePatternTest {
    private static Captures captures(String pattern, String path) {
        byte[] bytes = path.getBytes(StandardCharsets.US_ASCII);
        return new RoutePattern(pattern).captures(bytes, 0, bytes.length);
    }

    @Test
    void capturesAreDecodedOnceBehindTheSplit() {
        Captures captures = captures("/a/{one}/b/{two}", "/a/x%2Fy/b/%252F");
        assertEquals("x/y", captures.text("one"));
        assertEquals("%2F", captures.text("two"));
    }

    @Test
    void aMalformedCaptureIsNone() {
        assertNull(captures("/{one}/{two}", "/a/%ff"));
        assertNull(captures("/{one}/{two}", "/%c3/b"));
        assertNull(captures("/{one}", "/%4"));
    }

    @Test
    void anUnknownPlaceIsNamed() {
        Captures captures = captures("/{one}", "/a");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> captures.text("two"))
                .getMessage().contains("{two}"));
    }

    @Test
    void thePathHasItsValuesEscaped() {
        assertEquals("/a/x%2Fy/b/%C3%A9%20z",
                new RoutePattern("/a/{one}/b/{two}").path("x/y", "\u00e9 z"));
        assertEquals("/with%20blank", new RoutePattern("/with blank").path());
        assertEquals("/", new RoutePattern("/").path());
    }

    @Test
    void anotherNumberOfValuesIsRefused() {
        var pattern = new RoutePattern("/a/{one}");
        assertThrows(IllegalArgumentException.class, () -> pattern.path());
        assertThrows(IllegalArgumentException.class, () -> pattern.path("a", "b"));
        assertThrows(IllegalArgumentException.class, () -> new RoutePattern("/").path("a"));
    }

    @Test
    void aValueThatNoPathCanBringIsRefused() {
        var pattern = new RoutePattern("/a/{one}");
        for (String bad : List.of("", ".", "..", "\ud800")) {
            assertThrows(IllegalArgumentException.class, () -> pattern.path(bad),
                    "a link of the value \"" + bad + "\"");
        }
        assertEquals("/a/...", pattern.path("..."));
    }

    @Test
    void whatIsNoPatternIsRefused() {
        for (String bad : List.of("", "a", "/a/", "//", "/a//b", "/.", "/a/../b", "/{}", "/{1}",
                "/{a-b}", "/a{b}", "/{a}b", "/{a}/{a}", "/{a}{b}", "/\ud800",
                "/a".repeat(RoutePattern.SEGMENTS_MAX + 1))) {
            assertThrows(IllegalArgumentException.class, () -> new RoutePattern(bad), bad);
        }
    }
}
