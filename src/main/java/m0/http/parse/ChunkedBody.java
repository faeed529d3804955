package m0.http.parse;

import m0.bytes.Ascii;
import m0.bytes.GrowableBytes;
import m0.http.Limits;

/**
 * Decodes a chunked body (RFC 9112 §7.1) as it comes, and consumes up to the end of the message.
 *
 * <pre>
 *   begin -> SIZE_FIRST --hex--> SIZE --CR--> SIZE_BREAK --LF--> DATA --all--> DATA_END
 *              ^                  | ";"          ^  |                             | CR
 *              |                  v              |  | size 0                      v
 *              |              EXTENSION ---CR----+  |                         DATA_BREAK
 *              +------------------------------------|-----------LF---------------+
 *                                                   v
 *             +-- LF -- TRAILER_BREAK &lt;-CR- .. TRAILER --tchar--> NAME --":"--> VALUE --CR-+
 *             |              ^                  ^  | CR                                    |
 *             |              +------------------|--|---------------------------------------+
 *             +---------------------------------+  v
 *                                              END_BREAK --LF--> DONE     anything else -> BAD
 * </pre>
 *
 * <p>Trailers obey the rules of field lines, and are discarded: none of them has an effect.
 *
 * <p>Threads: one at a time. Owns: nothing but its counts. Limits: the body
 * ({@code M0_MAX_BODY}), refused as soon as a size announces too much; sizes, line breaks and data
 * together ({@link Limits#RAW_BODY_FACTOR} times that); extensions and trailers together
 * ({@link Limits#CHUNK_OVERHEAD_BYTES_MAX}). Errors: a {@link ProtocolViolation}, which stays.
 */
public final class ChunkedBody {
    private static final int SIZE_DIGITS_MAX = 15;
    /** What even an empty body has, so that it passes where no body is allowed. */
    private static final int END_BYTES = "0\r\n\r\n".length();

    private static final int SIZE_FIRST = 0;
    private static final int SIZE = 1;
    private static final int EXTENSION = 2;
    private static final int SIZE_BREAK = 3;
    private static final int DATA = 4;
    private static final int DATA_END = 5;
    private static final int DATA_BREAK = 6;
    private static final int TRAILER = 7;
    private static final int NAME = 8;
    private static final int VALUE = 9;
    private static final int TRAILER_BREAK = 10;
    private static final int END_BREAK = 11;
    private static final int DONE = 12;
    private static final int BAD = 13;

    private Limits limits = Limits.DEFAULT;
    private int state;
    private int at;
    /** The size being read, then how much of the chunk's data is still to come: 0 at its end. */
    private long size;
    private int sizeDigits;
    private int nameLength;
    private long bodyBytes;
    private long rawBytes;
    private int overheadBytes;
    private ProtocolViolation violation;

    public ChunkedBody() {
        begin(Limits.DEFAULT);
    }

    /** Forgets everything; the next byte is a body's first one. */
    public void begin(Limits limits) {
        this.limits = limits;
        state = SIZE_FIRST;
        size = 0;
        bodyBytes = 0;
        rawBytes = 0;
        overheadBytes = 0;
        violation = null;
    }

    /**
     * Decodes the bytes in {@code [from, to)}, which follow those of the last call, and appends the
     * body's to {@code out}.
     */
    public Outcome decode(byte[] in, int from, int to, GrowableBytes out) {
        at = from;
        while (at < to && state < DONE) {
            if (state == DATA) {
                takeData(in, to, out);
            } else {
                takeOctet(in[at]);
            }
        }
        if (state < DONE) {
            return Outcome.NEED_MORE;
        }
        return state == DONE ? Outcome.DONE : Outcome.BAD;
    }

    private void takeData(byte[] in, int to, GrowableBytes out) {
        int count = (int) Math.min(size, to - at);
        out.append(in, at, count);
        at += count;
        size -= count;
        if (size == 0) {
            state = DATA_END;
        }
    }

    private void takeOctet(byte octet) {
        switch (state) {
            case SIZE_FIRST, SIZE -> takeSize(octet);
            case EXTENSION -> takeExtension(octet);
            case SIZE_BREAK -> takeBreak(octet, size == 0 ? TRAILER : DATA);
            case DATA_END -> takeDataEnd(octet);
            case DATA_BREAK -> takeBreak(octet, SIZE_FIRST);
            case TRAILER -> takeTrailer(octet);
            case NAME -> takeName(octet);
            case VALUE -> takeValue(octet);
            case TRAILER_BREAK -> takeBreak(octet, TRAILER);
            default -> takeBreak(octet, DONE);
        }
    }

    private void takeSize(byte octet) {
        int digit = Ascii.hexValue(octet);
        if (digit >= 0) {
            // Leading zeros mean nothing; the raw bound ends a flood of them.
            sizeDigits = size == 0 ? 1 : sizeDigits + 1;
            if (sizeDigits > SIZE_DIGITS_MAX) {
                refuse(ProtocolViolation.CHUNK_SIZE_SYNTAX);
                return;
            }
            size = size << 4 | digit;
            state = SIZE;
            takeRaw();
        } else if (state == SIZE && octet == '\r') {
            state = SIZE_BREAK;
            takeRaw();
        } else if (state == SIZE && octet == ';') {
            state = EXTENSION;
            takeOverhead();
        } else {
            refuse(lineBreakOr(octet, ProtocolViolation.CHUNK_SIZE_SYNTAX));
        }
    }

    private void takeExtension(byte octet) {
        if (octet == '\r') {
            state = SIZE_BREAK;
            takeRaw();
        } else if (Ascii.is(octet, Ascii.VALUE)) {
            takeOverhead();
        } else {
            refuse(lineBreakOr(octet, ProtocolViolation.CHUNK_EXTENSION_BYTE));
        }
    }

    private void takeDataEnd(byte octet) {
        if (octet == '\r') {
            state = DATA_BREAK;
            takeRaw();
        } else {
            refuse(ProtocolViolation.CHUNK_DATA_END);
        }
    }

    private void takeBreak(byte octet, int next) {
        if (octet != '\n') {
            refuse(state == DATA_BREAK
                    ? ProtocolViolation.CHUNK_DATA_END : ProtocolViolation.BARE_LINE_BREAK);
            return;
        }
        if (next == DATA) {
            bodyBytes += size;
            rawBytes += size;
            if (bodyBytes > limits.bodyBytesMax()) {
                refuse(ProtocolViolation.BODY_TOO_LARGE);
                return;
            }
        }
        boolean trailer = state == TRAILER_BREAK;
        state = next;
        if (trailer) {
            takeOverhead();
        } else {
            takeRaw();
        }
    }

    private void takeTrailer(byte octet) {
        if (octet == '\r') {
            state = END_BREAK;
            takeRaw();
        } else if (FieldList.isBlank(octet)) {
            refuse(ProtocolViolation.FOLDED_LINE);
        } else {
            state = NAME;
            nameLength = 0;
            takeName(octet);
        }
    }

    private void takeName(byte octet) {
        if (Ascii.is(octet, Ascii.TOKEN)) {
            nameLength++;
            takeOverhead();
        } else if (octet == ':' && nameLength > 0) {
            state = VALUE;
            takeOverhead();
        } else {
            refuse(lineBreakOr(octet, ProtocolViolation.FIELD_NAME_SYNTAX));
        }
    }

    private void takeValue(byte octet) {
        if (octet == '\r') {
            state = TRAILER_BREAK;
            takeOverhead();
        } else if (Ascii.is(octet, Ascii.VALUE)) {
            takeOverhead();
        } else {
            refuse(lineBreakOr(octet, ProtocolViolation.FIELD_VALUE_BYTE));
        }
    }

    private static ProtocolViolation lineBreakOr(byte octet, ProtocolViolation other) {
        return octet == '\n' ? ProtocolViolation.BARE_LINE_BREAK : other;
    }

    /** The octet is accepted and counts as framing or data. */
    private void takeRaw() {
        rawBytes++;
        if (rawBytes - END_BYTES > (long) Limits.RAW_BODY_FACTOR * limits.bodyBytesMax()) {
            refuse(ProtocolViolation.BODY_TOO_LARGE);
        } else {
            at++;
        }
    }

    /** The octet is accepted and counts as an extension or a trailer. */
    private void takeOverhead() {
        overheadBytes++;
        if (overheadBytes > Limits.CHUNK_OVERHEAD_BYTES_MAX) {
            refuse(ProtocolViolation.CHUNK_OVERHEAD);
        } else {
            at++;
        }
    }

    private void refuse(ProtocolViolation found) {
        violation = found;
        state = BAD;
    }

    /** After a call, the index after the last byte consumed; after {@code BAD} the refused one's. */
    public int position() {
        return at;
    }

    /** Why it is {@code BAD}, otherwise null. */
    public ProtocolViolation violation() {
        return violation;
    }
}
