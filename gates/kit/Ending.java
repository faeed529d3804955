package kit;

import java.nio.charset.StandardCharsets;

/**
 * How a connection came to its end: what still arrived, whether the end was a reset instead of
 * the orderly one, and when it was seen ({@link System#nanoTime}).
 */
public record Ending(byte[] bytes, boolean reset, long atNs) {

    /** What arrived before the end, a character per byte. */
    public String text() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Milliseconds from {@code sinceNs} to the end. */
    public long afterMs(long sinceNs) {
        return (atNs - sinceNs) / 1_000_000;
    }

    /** Fails unless nothing arrived before an orderly end; returns this. */
    public Ending expectNothing() {
        if (reset || bytes.length > 0) {
            throw new AssertionError("expected an orderly end and nothing before it, and not "
                    + this);
        }
        return this;
    }

    /** Fails if the end was a reset; returns this. */
    public Ending expectOrderly() {
        if (reset) {
            throw new AssertionError("expected an orderly end and not " + this);
        }
        return this;
    }

    @Override
    public String toString() {
        return (reset ? "a reset after " : "an end after ") + bytes.length + " bytes <"
                + RawClient.shown(text()) + ">";
    }
}
