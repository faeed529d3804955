package m0.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DecimalTest {
    @Test
    void readsUpToEighteenDigits() {
        assertEquals(0, parse("0"));
        assertEquals(5, parse("005"));
        assertEquals(999_999_999_999_999_999L, parse("999999999999999999"));
    }

    @Test
    void refusesEverythingElse() {
        for (String text : new String[] {"", "1000000000000000000", "+1", "-1", " 1", "1 ", "1_0",
            "0x1", "1e3", "1.0", "1,1", "\u0661"}) {
            assertEquals(-1, parse(text), "text=" + text);
        }
    }

    @Test
    void readsTheGivenPartAlone() {
        assertEquals(23, Decimal.parse("1234".getBytes(StandardCharsets.US_ASCII), 1, 3));
    }

    private static long parse(String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        return Decimal.parse(octets, 0, octets.length);
    }
}
