package m0.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelativePathTest {
    private static final Path ROOT = Path.of("/root/of/files");

    @ParameterizedTest
    @CsvSource({
        "/a.txt,                  a.txt",
        "/sub/a.txt,              sub/a.txt",
        "/sub/,                   sub",
        "/with%20blank,           with blank",
        "/%61,                    a",
        "/%2561,                  %61",
        "/a%252e%252e,            a%2e%2e",
        "/...,                    ...",
        "/..a,                    ..a",
        "/a..,                    a..",
        "/a:b@c;d=e+f,            a:b@c;d=e+f",
    })
    void namesAreSplitThenDecodedOnce(String raw, String expected) {
        RelativePath path = RelativePath.parse(raw, true);
        assertNotNull(path, raw);
        assertEquals(ROOT.resolve(expected), path.under(ROOT));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/..", "/.", "/../a", "/a/../b", "/a/./b", "/a/..", "/%2e%2e/a", "/%2E./a", "/.%2e",
        "/%2e", "/a%2fb", "/a%2Fb", "/%2f", "/..%2fa", "/a%5cb", "/a%5Cb", "/a\\b", "/..%5ca",
        "/a%00", "/%00", "/a%00.txt", "//", "//a", "/a//b", "/a//", "///",
    })
    void whatCouldLeadElsewhereIsRefused(String raw) {
        assertNull(RelativePath.parse(raw, true), "a name was taken from " + raw);
        assertNull(RelativePath.parse(raw, false), "a name was taken from " + raw);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/%", "/%4", "/%zz", "/a%2", "/%4g", "/%c0%ae", "/%c0%af", "/%ff", "/%e2%82",
        "/%ed%a0%80", "/%u0041",
    })
    void whatIsNoTextIsRefused(String raw) {
        assertNull(RelativePath.parse(raw, true), "a name was taken from " + raw);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/.env", "/.git/config", "/a/.b", "/%2eenv", "/..."})
    void hiddenNamesAreServedWhereTheyAreAskedFor(String raw) {
        assertNull(RelativePath.parse(raw, false), "a hidden name was taken from " + raw);
        assertNotNull(RelativePath.parse(raw, true), raw);
    }

    @Test
    void aDirectoryIsToldByItsSlash() {
        assertFalse(RelativePath.parse("", false).endsInSlash());
        assertTrue(RelativePath.parse("/", false).endsInSlash());
        assertTrue(RelativePath.parse("/a/", false).endsInSlash());
        assertFalse(RelativePath.parse("/a", false).endsInSlash());
    }

    @Test
    void theNameIsTheLastOne() {
        assertEquals("b.txt", RelativePath.parse("/a/b.txt", false).name());
        assertEquals("a", RelativePath.parse("/a/", false).name());
        assertEquals("", RelativePath.parse("/", false).name());
    }

    @ParameterizedTest
    @CsvSource({
        "/a,              /a",
        "/a/b/,           /a/b",
        "/a%20b,          /a%20b",
        "/%61,            /a",
        "/a%3fb%23c,      /a%3Fb%23c",
        "/%25%0a,         /%25%0A",
        "/%c3%a9,         /%C3%A9",
        "/a:b+c,          /a%3Ab%2Bc",
    })
    void isEncodedAgain(String raw, String expected) {
        var text = new StringBuilder();
        RelativePath.parse(raw, false).appendEncoded(text);
        assertEquals(expected, text.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/x", "/x/y", "/a-b_c.d~e", "/x:y@z"})
    void isAPrefix(String text) {
        assertTrue(RelativePath.isPrefix(text), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "x", "x/y", "/x/", "//x", "/x//y", "/x y", "/x%20y", "/x?y",
        "/x\\y", "/x\u00e9"})
    void isNoPrefix(String text) {
        assertFalse(RelativePath.isPrefix(text), text);
    }
}
