package m0.ws;

import java.util.Locale;

/**
 * Every reason for which a WebSocket is closed because of what its peer sent.
 *
 * <p>The close frame has the code; the names in small letters are the values of the metric's
 * {@code kind} label.
 */
public enum FrameViolation {
    /** A reserved bit is set, and no extension gives it a meaning (RFC 6455 §5.2). */
    WS_RESERVED_BITS(CloseCode.PROTOCOL_ERROR),
    /** Opcode 3 to 7 or 11 to 15 (§5.2). */
    WS_OPCODE(CloseCode.PROTOCOL_ERROR),
    /** A control frame without FIN (§5.5). */
    WS_CONTROL_FRAGMENTED(CloseCode.PROTOCOL_ERROR),
    /** A control frame of more than 125 bytes (§5.5). */
    WS_CONTROL_TOO_LONG(CloseCode.PROTOCOL_ERROR),
    /** A continuation while no message is begun (§5.4). */
    WS_CONTINUATION(CloseCode.PROTOCOL_ERROR),
    /** A text or binary frame while another message is not complete (§5.4). */
    WS_MESSAGE_INSIDE_MESSAGE(CloseCode.PROTOCOL_ERROR),
    /** A client's frame without a mask (§5.1). */
    WS_UNMASKED(CloseCode.PROTOCOL_ERROR),
    /** A length in more bytes than it needs, or with its highest bit set (§5.2). */
    WS_LENGTH(CloseCode.PROTOCOL_ERROR),
    /** A close frame with one byte (§5.5.1). */
    WS_CLOSE_LENGTH(CloseCode.PROTOCOL_ERROR),
    /** A close frame with a code that must not be sent (§7.4). */
    WS_CLOSE_CODE(CloseCode.PROTOCOL_ERROR),
    /** A text message or a reason that is not UTF-8 (§8.1). */
    WS_UTF8(CloseCode.BAD_DATA),
    /** A message over the limit (§7.4.1). */
    WS_MESSAGE_TOO_LARGE(CloseCode.TOO_BIG),
    /** A message in too many frames. */
    WS_FRAGMENTS(CloseCode.POLICY),
    /** Too many pings and pongs in one second. */
    WS_CONTROL_RATE(CloseCode.POLICY);

    private final int closeCode;
    private final String kind = name().toLowerCase(Locale.ROOT);

    FrameViolation(int closeCode) {
        this.closeCode = closeCode;
    }

    public int closeCode() {
        return closeCode;
    }

    /** The value of the metric's label. */
    public String kind() {
        return kind;
    }
}
