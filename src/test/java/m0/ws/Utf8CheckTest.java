package m0.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The check against the JDK's decoder. */
class Utf8CheckTest {
    private final Utf8Check check = new Utf8Check();

    @Test
    void everyCharacterIsTakenByteByByte() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                continue;
            }
            byte[] bytes = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
            for (int at = 0; at < bytes.length; at++) {
                assertEquals(at + 1, check.check(bytes, at, at + 1), "character " + codePoint);
                assertEquals(at + 1 == bytes.length, check.isComplete(), "character " + codePoint);
            }
        }
    }

    @Test
    void everySequenceOfThreeBytesIsJudgedAsTheJdkDoes() {
        int[] thirds = {0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xc2, 0xff};
        var bytes = new byte[3];
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                for (int third : thirds) {
                    bytes[0] = (byte) first;
                    bytes[1] = (byte) second;
                    bytes[2] = (byte) third;
                    check.reset();
                    boolean taken = check.check(bytes, 0, 3) == 3 && check.isComplete();
                    assertEquals(isUtf8(bytes), taken, first + " " + second + " " + third);
                }
            }
        }
    }

    @Test
    void theFirstWrongByteIsNamed() {
        byte[] bytes = {'a', (byte) 0xc3, (byte) 0xa9, (byte) 0xe0, (byte) 0x80, 'b'};
        assertEquals(4, check.check(bytes, 0, bytes.length));
    }

    @Test
    void aResetForgetsTheCharacterThatWasBegun() {
        check.check(new byte[] {(byte) 0xe0}, 0, 1);
        check.reset();
        assertTrue(check.isComplete());
        assertEquals(2, check.check(new byte[] {(byte) 0xc3, (byte) 0x80}, 0, 2));
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }
}
