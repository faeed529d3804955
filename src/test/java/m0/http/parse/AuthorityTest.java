package m0.http.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b-c_d~", "1.2.3.4", "256.1.1.1", "a:", "a:0", "a:65535",
        "a:00080", "%41", "!$&'()*+,;=", "[::]", "[::1]", "[1::]", "[1:2:3:4:5:6:7:8]",
        "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]", "[1::4:5:6:7:8]", "[abcd:EF01::]",
        "[::1.2.3.4]", "[1:2:3:4:5:6:1.2.3.4]", "[1::6:255.0.10.99]", "[::1]:80", "[::1]:"})
    void isHostAndPort(String text) {
        assertEquals(true, check(text), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", ":80", "a:65536", "a:4294967376", "a:8a", "a:-1", "a::1", "a b",
        "a/", "a?", "a#", "a@b", "a\\b", "a\"", "<a>", "%", "%4", "%4g", "a%", "\u00e9", "[", "]",
        "[]", "[:]", "[:::]", "[::1", "::1]", "[1]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]",
        "[1:2:3:4:5:6:7:8::]", "[::1:2:3:4:5:6:7:8]", "[1::2::3]", "[12345::]", "[g::]", "[1:]",
        "[:1]", "[1:2:3:4:5:6:7:]", "[:1:2:3:4:5:6:7]", "[::1.2.3]", "[::1.2.3.4.5]",
        "[::256.1.1.1]", "[::01.1.1.1]", "[::1.2.3.00]", "[::1..2.3]", "[::1.2.3.4:5]",
        "[1:2:3:4:5:6:7:1.2.3.4]", "[1:2:3:4:5:6:7::1.2.3.4]", "[1.2.3.4]", "[::1%25eth0]",
        "[fe80::1%eth0]", "[v1.a]", "[::1]]", "[[::1]]", "[::1]a", "[::1]:80a", "a[::1]"})
    void isNot(String text) {
        assertEquals(false, check(text), text);
    }

    /** What stands before and behind it in the array is no part of it. */
    private static boolean check(String text) {
        boolean whole = check("", text, "");
        for (String behind : new String[] {"8", "]", ":", ".", "a"}) {
            assertEquals(whole, check("[", text, behind), text + " in front of " + behind);
        }
        return whole;
    }

    private static boolean check(String before, String text, String behind) {
        int from = before.length();
        byte[] octets = (before + text + behind).getBytes(StandardCharsets.UTF_8);
        return Authority.isHostAndPort(octets, from, octets.length - behind.length());
    }
}
