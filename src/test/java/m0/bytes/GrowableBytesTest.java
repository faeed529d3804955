package m0.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GrowableBytesTest {
    private final GrowableBytes bytes = new GrowableBytes();

    @Test
    void ownsNothingUntilSomethingComes() {
        assertEquals(0, bytes.capacity());
        assertEquals(0, bytes.length());
    }

    @Test
    void keepsWhatCameInOrder() {
        var random = new Random(7);
        var expected = new ByteArrayOutputStream();
        for (int n = 0; n < 200; n++) {
            byte[] part = new byte[random.nextInt(300)];
            random.nextBytes(part);
            int offset = random.nextInt(part.length + 1);
            int count = random.nextInt(part.length - offset + 1);
            bytes.append(part, offset, count);
            expected.write(part, offset, count);
        }
        assertArrayEquals(expected.toByteArray(), held());
    }

    @Test
    void takesWhatRemainsOfABufferAndSingleOctets() {
        ByteBuffer source = ByteBuffer.allocateDirect(8);
        source.put(new byte[] {1, 2, 3, 4, 5}).flip().position(1).limit(4);
        bytes.append(source);
        bytes.append((byte) 9);
        assertArrayEquals(new byte[] {2, 3, 4, 9}, held());
        assertEquals(3, source.remaining());
        for (int n = 0; n < 2000; n++) {
            bytes.append((byte) n);
        }
        assertEquals(2004, bytes.length());
        assertEquals((byte) 1999, bytes.array()[2003]);
    }

    @Test
    void growsAheadUpToItsBoundAlone() {
        var bounded = new GrowableBytes(700);
        bounded.append(new byte[10], 0, 10);
        assertEquals(512, bounded.capacity());
        bounded.append(new byte[503], 0, 503);
        assertEquals(700, bounded.capacity());
        bounded.append(new byte[200], 0, 200);
        assertEquals(713, bounded.capacity());
        assertEquals(713, bounded.length());
    }

    @Test
    void growsByAFactorOfWhatCame() {
        int replaced = 0;
        for (int n = 0; n < 1 << 20; n++) {
            byte[] before = bytes.array();
            bytes.append(new byte[1], 0, 1);
            replaced += before == bytes.array() ? 0 : 1;
            assertTrue(bytes.capacity() <= Math.max(512, 2 * bytes.length()),
                    "length=" + bytes.length() + " capacity=" + bytes.capacity());
        }
        assertTrue(replaced <= 12, "replaced=" + replaced);
    }

    @Test
    void takesALargePartWhole() {
        bytes.append(new byte[100_000], 0, 100_000);
        assertEquals(100_000, bytes.capacity());
    }

    @Test
    void discardMovesTheRestToTheFront() {
        bytes.append(new byte[] {1, 2, 3, 4, 5}, 0, 5);
        bytes.discard(2);
        assertArrayEquals(new byte[] {3, 4, 5}, held());
        bytes.discard(3);
        assertEquals(0, bytes.length());
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.discard(1));
    }

    @Test
    void clearKeepsTheArray() {
        bytes.append(new byte[600], 0, 600);
        byte[] array = bytes.array();
        bytes.clear();
        assertEquals(0, bytes.length());
        assertSame(array, bytes.array());
    }

    @Test
    void shedGivesALargeArrayBackAndLosesNothing() {
        bytes.append(new byte[10_000], 0, 10_000);
        bytes.shed(1_000);
        assertEquals(10_000, bytes.length());
        bytes.discard(9_997);
        bytes.shed(1_000);
        assertArrayEquals(new byte[3], held());
        assertEquals(3, bytes.capacity());
    }

    @Test
    void shedOfAnEmptyOneLeavesNoArrayAndASmallOneStays() {
        bytes.append(new byte[10_000], 0, 10_000);
        bytes.clear();
        bytes.shed(10_000);
        assertEquals(10_000, bytes.capacity());
        bytes.shed(9_999);
        assertEquals(0, bytes.capacity());
    }

    @Test
    void refusesAPartOutsideItsSource() {
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.append(new byte[2], 1, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.append(new byte[2], -1, 1));
        assertEquals(0, bytes.length());
    }

    private byte[] held() {
        return Arrays.copyOf(bytes.array(), bytes.length());
    }
}
