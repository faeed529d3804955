package m0.ws;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.bytes.GrowableBytes;

/**
 * A server's frames: whole messages, unmasked (RFC 6455 §5.1).
 *
 * <pre>
 *  1 byte    FIN, opcode
 *  1 byte    length up to 125, or 126 or 127
 *  2 bytes   behind 126: length from 126 to 65,535
 *  8 bytes   behind 127: length from 65,536
 *            payload
 * </pre>
 *
 * <p>Threads: any, each with buffers of its own.
 */
public final class WsFrames {
    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    /** What a control frame may carry at most. */
    public static final int CONTROL_BYTES_MAX = 125;
    /** What stands before a payload at most. */
    public static final int HEAD_BYTES_MAX = 10;

    static final int FIN = 0x80;
    static final int LENGTH_IN_TWO = 126;
    static final int LENGTH_IN_EIGHT = 127;
    static final int LENGTH_IN_TWO_MAX = 0xffff;

    private static final int CODE_BYTES = 2;

    private WsFrames() { }

    /**
     * Writes one frame.
     *
     * @param payload its position stays
     */
    public static void append(GrowableBytes into, int opcode, ByteBuffer payload) {
        int length = payload.remaining();
        if (opcode >= CLOSE && length > CONTROL_BYTES_MAX) {
            throw new IllegalArgumentException("a control frame of " + length + " bytes");
        }
        appendHead(into, opcode, length);
        into.append(payload);
    }

    private static void appendHead(GrowableBytes into, int opcode, int length) {
        into.append((byte) (FIN | opcode));
        if (length < LENGTH_IN_TWO) {
            into.append((byte) length);
            return;
        }
        boolean inTwo = length <= LENGTH_IN_TWO_MAX;
        into.append((byte) (inTwo ? LENGTH_IN_TWO : LENGTH_IN_EIGHT));
        for (int shift = inTwo ? 8 : 56; shift >= 0; shift -= 8) {
            into.append((byte) ((long) length >> shift));
        }
    }

    /**
     * Writes a close frame.
     *
     * @param code a valid one, or {@link CloseCode#NONE} for a frame without code and reason
     * @param reason at most 123 bytes of UTF-8
     */
    public static void appendClose(GrowableBytes into, int code, String reason) {
        if (code == CloseCode.NONE) {
            appendHead(into, CLOSE, 0);
            return;
        }
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        if (!CloseCode.isValid(code) || text.length > CONTROL_BYTES_MAX - CODE_BYTES) {
            throw new IllegalArgumentException("code=" + code + ", a reason of " + text.length
                    + " bytes");
        }
        appendHead(into, CLOSE, CODE_BYTES + text.length);
        into.append((byte) (code >> 8));
        into.append((byte) code);
        into.append(text, 0, text.length);
    }

    /** TEXT where the payload is well-formed UTF-8, which a text frame must be, else BINARY. */
    public static int opcodeOf(ByteBuffer payload) {
        Utf8Check check = new Utf8Check();
        int from = payload.arrayOffset() + payload.position();
        int to = from + payload.remaining();
        return check.check(payload.array(), from, to) == to && check.isComplete() ? TEXT : BINARY;
    }
}
