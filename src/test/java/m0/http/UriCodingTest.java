package m0.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UriCodingTest {
    private static String decode(String text, boolean plusIsBlank) {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.ISO_8859_1);
        return UriCoding.decode(bytes, 1, bytes.length - 1, plusIsBlank);
    }

    @Test
    void decodesOnce() {
        assertEquals("a b", decode("a%20b", false));
        assertEquals("%41", decode("%2541", false));
        assertEquals("\u00e9\u20ac", decode("%c3%A9%e2%82%ac", false));
        assertEquals("", decode("", false));
    }

    @Test
    void aPlusIsABlankInAFormAlone() {
        assertEquals("a+b+c", decode("a+b%2bc", false));
        assertEquals("a b+c", decode("a+b%2bc", true));
    }

    @Test
    void aMalformedEscapeIsNoText() {
        for (String bad : new String[] {"%", "a%", "%4", "%4g", "%g4", "%%41"}) {
            assertNull(decode(bad, true), bad);
        }
    }

    @Test
    void whatIsNoUtf8IsNoText() {
        for (String bad : new String[] {"%ff", "%c3", "%c3%28", "%c0%af", "%ed%a0%80", "\u00e9"}) {
            assertNull(decode(bad, false), bad);
        }
    }

    @Test
    void escapesAllButTheUnreserved() {
        assertEquals("azAZ09-._~", UriCoding.encode("azAZ09-._~"));
        assertEquals("%2F%3F%23%25%26%3D%2B%20%3B%27", UriCoding.encode("/?#%&=+ ;'"));
        assertEquals("%C3%A9%F0%9F%98%80%00", UriCoding.encode("\u00e9\ud83d\ude00\0"));
    }

    @Test
    void refusesHalfASurrogatePair() {
        assertThrows(IllegalArgumentException.class, () -> UriCoding.encode("a\ud83d"));
    }

    @Test
    void whatWasEscapedIsReadAsItWas() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            var text = new StringBuilder();
            for (int count = random.nextInt(8); count > 0; count--) {
                int point = random.nextInt(random.nextBoolean() ? 0x80 : 0x11000);
                text.appendCodePoint(point >= 0xd800 && point < 0xe000 ? 'x' : point);
            }
            String escaped = UriCoding.encode(text.toString());
            assertEquals(text.toString(), decode(escaped, random.nextBoolean()),
                    "seed=" + seed + " " + escaped);
        }
    }
}
