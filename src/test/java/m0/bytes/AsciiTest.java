package m0.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class AsciiTest {
    @Test
    void tokensAreTheCharactersOfRfc9110() {
        classIs(Ascii.TOKEN, octet -> isAlphanumeric(octet)
                || octet > 0 && "!#$%&'*+-.^_`|~".indexOf(octet) >= 0);
    }

    @Test
    void valuesHoldNoControlOctetButTab() {
        classIs(Ascii.VALUE, octet -> octet == '\t' || octet >= ' ' && octet != 0x7f);
    }

    @Test
    void targetsHoldVisibleAsciiAndThreeOctetsStandOut() {
        classIs(Ascii.TARGET,
                octet -> octet > ' ' && octet < 0x7f && "%?#".indexOf(octet) < 0);
    }

    @Test
    void registeredNamesAreUnreservedAndDelimiters() {
        classIs(Ascii.REG_NAME, octet -> isAlphanumeric(octet)
                || octet > 0 && "-._~!$&'()*+,;=".indexOf(octet) >= 0);
    }

    @Test
    void digitsAreTen() {
        classIs(Ascii.DIGIT, octet -> octet >= '0' && octet <= '9');
    }

    @Test
    void charactersAboveAsciiBelongToNoClass() {
        assertFalse(Ascii.is('\u0130', Ascii.TOKEN | Ascii.VALUE));
        assertFalse(Ascii.is('\u0661', Ascii.DIGIT));
        assertFalse(Ascii.is('\u00ff', Ascii.VALUE));
    }

    @Test
    void hexadecimalDigitsHaveTheirValueInEitherCase() {
        for (int octet = 0; octet < 256; octet++) {
            int value = octet < 0x80 ? Character.digit(octet, 16) : -1;
            assertEquals(value, Ascii.hexValue((byte) octet), "octet=" + octet);
        }
    }

    @Test
    void comparesOctetsWithText() {
        byte[] octets = octets("xHost: y");
        assertTrue(Ascii.equal(octets, 1, 5, "Host"));
        assertFalse(Ascii.equal(octets, 1, 5, "host"));
        assertFalse(Ascii.equal(octets, 1, 6, "Host"));
        assertTrue(Ascii.equalIgnoringCase(octets, 1, 5, "hOST"));
        assertFalse(Ascii.equalIgnoringCase(octets, 1, 5, "hOSTs"));
        assertTrue(Ascii.startsWith(octets, 1, 8, "Host:"));
        assertFalse(Ascii.startsWith(octets, 1, 4, "Host"));
    }

    @Test
    void onlyLettersDifferInCase() {
        // '[' and '{', '@' and '`' differ by the same bit as a letter's two cases.
        assertFalse(Ascii.equalIgnoringCase(octets("[@"), 0, 2, "{`"));
        assertTrue(Ascii.equalIgnoringCase(octets("aZ"), 0, 2, "Az"));
    }

    private static void classIs(int type, IntPredicate expected) {
        for (int octet = 0; octet < 256; octet++) {
            assertEquals(expected.test(octet), Ascii.is((byte) octet, type), "octet=" + octet);
        }
    }

    private static boolean isAlphanumeric(int octet) {
        return octet < 0x80 && Character.isLetterOrDigit(octet);
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
