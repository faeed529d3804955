package m0.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What waits on a stream: its bound, its order, and what it forgets. */
class OutboxTest {
    private static final int BOUND = 10;

    private final Outbox outbox = new Outbox(BOUND);

    private void add(String text) {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.US_ASCII);
        outbox.add(bytes, 1, text.length());
    }

    private void addUncounted(String text) {
        outbox.addUncounted(text.getBytes(StandardCharsets.US_ASCII), 0, text.length());
    }

    private String front(int bytesMax) {
        ByteBuffer into = ByteBuffer.allocate(bytesMax);
        outbox.gather(into);
        return new String(into.array(), 0, into.position(), StandardCharsets.US_ASCII);
    }

    @Test
    void fitsUpToItsBoundAndNotBeyond() {
        add("1234");
        assertTrue(outbox.fits(6));
        assertFalse(outbox.fits(7));
        add("123456");
        assertFalse(outbox.fits(1));
    }

    @Test
    void anEmptyOneTakesOneFrameWhateverItsSize() {
        assertTrue(outbox.fits(1000));
        add("x".repeat(1000));
        assertFalse(outbox.fits(1));
        outbox.consume(999);
        assertTrue(outbox.fits(9));
        assertFalse(outbox.fits(10));
    }

    @Test
    void roomComesBackAsBytesAreSent() {
        add("1234567890");
        assertFalse(outbox.fits(3));
        outbox.consume(3);
        assertTrue(outbox.fits(3));
        assertFalse(outbox.fits(4));
    }

    @Test
    void whatIsUncountedUsesUpNothing() {
        addUncounted("head".repeat(10));
        addUncounted("replay".repeat(10));
        assertEquals(100, outbox.bytes());
        assertTrue(outbox.fits(10));
        assertFalse(outbox.isHalfFull());
        add("1234");
        assertTrue(outbox.fits(6));
        assertFalse(outbox.fits(7));
    }

    @Test
    void uncountedBytesAreTheFirstToBeSent() {
        addUncounted("12345");
        add("1234567890");
        outbox.consume(4);
        assertFalse(outbox.fits(1));
        outbox.consume(2);
        assertTrue(outbox.fits(1));
        assertFalse(outbox.fits(2));
    }

    @Test
    void uncountedBehindCountedIsAMistake() {
        add("1");
        assertThrows(IllegalStateException.class, () -> addUncounted("2"));
    }

    @Test
    void isHalfFullAboveHalfOfItsBound() {
        add("12345");
        assertFalse(outbox.isHalfFull());
        add("6");
        assertTrue(outbox.isHalfFull());
    }

    @Test
    void gathersInOrderAsMuchAsFitsAndForgetsNothing() {
        add("ab");
        add("cde");
        assertEquals("abcd", front(4));
        assertEquals("abcde", front(100));
        assertEquals(5, outbox.bytes());
    }

    @Test
    void consumesPartsOfFrames() {
        add("abc");
        add("def");
        outbox.consume(2);
        assertEquals("cdef", front(100));
        outbox.consume(2);
        assertEquals("ef", front(100));
        outbox.consume(2);
        assertTrue(outbox.isEmpty());
        assertEquals(0, outbox.bytes());
    }

    @Test
    void sharesTheArraysItWasGiven() {
        byte[] shared = {'a', 'b'};
        outbox.add(shared, 0, 2);
        shared[0] = 'z';
        assertEquals("zb", front(2));
    }

    @Test
    void isEmptyAndAsGoodAsNewOnceCleared() {
        addUncounted("head");
        for (int count = 0; count < 200; count++) {
            add("x");
        }
        outbox.clear();
        assertTrue(outbox.isEmpty());
        assertEquals(0, outbox.bytes());
        add("1234");
        assertTrue(outbox.fits(6));
        assertFalse(outbox.fits(7));
        assertEquals("1234", front(100));
    }

    /** Against a queue of letters; the ring grows, wraps round and is given back on the way. */
    @Test
    void keepsTheOrderOfWhateverIsAddedAndSent() {
        long seed = 20_261_129;
        Random random = new Random(seed);
        ArrayDeque<Character> model = new ArrayDeque<>();
        char letter = 'a';
        for (int turn = 0; turn < 20_000; turn++) {
            boolean filling = turn / 500 % 2 == 0;
            if (random.nextInt(4) < (filling ? 3 : 1)) {
                var text = new StringBuilder();
                for (int length = 1 + random.nextInt(5); length > 0; length--) {
                    model.add(letter);
                    text.append(letter);
                    letter = letter == 'z' ? 'a' : (char) (letter + 1);
                }
                add(text.toString());
            } else {
                int sent = Math.min(model.size(), random.nextInt(12));
                var expected = new StringBuilder();
                for (int count = 0; count < sent; count++) {
                    expected.append(model.remove());
                }
                assertEquals(expected.toString(), front(sent), "seed=" + seed + " turn=" + turn);
                outbox.consume(sent);
            }
            assertEquals(model.size(), outbox.bytes(), "seed=" + seed + " turn=" + turn);
        }
    }
}
