package m0.ws;

import java.nio.ByteBuffer;

/**
 * What a {@link MessageReader} found, in the order of the bytes.
 *
 * <p>Threads: the reader's. Every payload is a heap buffer whose bytes from 0 to its limit are the
 * payload's, already unmasked; it is valid during the call. None of these may read on from within.
 */
public interface MessageSink {
    /**
     * A whole message; a text is well-formed UTF-8.
     *
     * @param opcode {@link WsFrames#TEXT} or {@link WsFrames#BINARY}
     * @return false for "not now": the reader keeps the message, and offers it again when it is
     *     next asked to read
     */
    boolean onMessage(int opcode, ByteBuffer payload);

    /** A ping, to be answered by a pong with the same payload (RFC 6455 §5.5.3). */
    void onPing(ByteBuffer payload);

    /** A pong, asked for or not. */
    void onPong(ByteBuffer payload);

    /**
     * The peer's close frame, the last thing read.
     *
     * @param code a valid one, or {@link CloseCode#NONE} where the frame has none
     */
    void onClose(int code);

    /**
     * The peer broke a rule; nothing more is read.
     *
     * @param closeCode for the close frame: 1002, 1007, 1008 or 1009
     * @param kind of {@link FrameViolation#kind()}
     */
    void onViolation(int closeCode, String kind);
}
