package m0.ws;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import m0.bytes.GrowableBytes;

/**
 * Reads one client's frames: bytes in; messages, control frames or a named violation out
 * (RFC 6455 §5).
 *
 * <pre>
 *        byte 0          byte 1      length        key        payload
 *   FIN RSV OPCODE | MASK LENGTH | 0, 2 or 8 |  4 bytes  | LENGTH bytes
 *
 *          ┌──────────────────────────────────────────────────────────┐
 *          ▼                                                          │
 *        FIRST ──► SECOND ──► LENGTH ──► KEY ──► PAYLOAD ──► frame complete
 *                    └─────────────────►─┘ └──────────────────►─┘
 * </pre>
 *
 * <p>Each state takes single bytes, or what there is of a payload, so that nothing depends on how
 * the bytes were split; whatever is not complete is kept inside. A rule is judged by the byte that
 * breaks it: a length beyond the limit before its payload comes, a text that is not UTF-8 at its
 * first wrong byte. What was complete before a violation has been delivered then.
 *
 * <p>After a close frame or a violation the reader has ended, and reads nothing more. A message
 * that the sink answered "not now" is kept and offered again by the next {@link #read}; nothing
 * behind it is read before.
 *
 * <p>Threads: one, the loop's. Owns: an array for the message that is being gathered, which never
 * grows ahead of what has arrived, and one for a control frame. Limits: a message of
 * {@code messageBytesMax} bytes (1009 beyond), {@link #FRAGMENTS_MAX} frames a message and
 * {@link #CONTROL_FRAMES_MAX} pings and pongs a second (1008 beyond). Errors: a bad peer is told to
 * the sink; what the sink throws leaves the reader as if the sink had returned true.
 */
public final class MessageReader {
    /** Frames of one message. Each costs a turn of this machine, however little it brings. */
    public static final int FRAGMENTS_MAX = 1024;
    /** Pings and pongs within a second of the first of them. Each ping costs an answer. */
    public static final int CONTROL_FRAMES_MAX = 100;

    private static final long SECOND_NS = 1_000_000_000;
    /** Kept between messages, so that small ones cost no allocation. */
    private static final int KEPT_BYTES = 1024;

    private static final int FIRST = 0;
    private static final int SECOND = 1;
    private static final int LENGTH = 2;
    private static final int KEY = 3;
    private static final int PAYLOAD = 4;

    private static final int RESERVED_BITS = 0x70;
    private static final int OPCODE_BITS = 0x0f;
    private static final int MASK_BIT = 0x80;
    private static final int LENGTH_BITS = 0x7f;
    private static final int KEY_BYTES = 4;
    private static final int CODE_BYTES = 2;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int messageBytesMax;

    /** The payload of the message so far, unmasked; {@code view} lies over its array. */
    private final GrowableBytes message;
    private ByteBuffer view = NOTHING;
    private final Utf8Check utf8 = new Utf8Check();
    /** TEXT or BINARY, or 0 where no message is begun. */
    private int messageOpcode;
    private int fragments;
    private boolean held;

    /** The payload of the control frame so far, unmasked. */
    private final GrowableBytes control = new GrowableBytes(WsFrames.CONTROL_BYTES_MAX);

    private int state = FIRST;
    private boolean fin;
    private int opcode;
    private long length;
    /** Bytes of the length or the key still to come. */
    private int fieldMissing;
    /** The lowest length that may be written in as many bytes. */
    private int lengthMin;
    private int key;
    /** Bytes of the payload that have come; the next one's place in the key. */
    private int payloadCount;

    private long controlSinceNs;
    private int controlFrames;
    private boolean ended;

    /** @param messageBytesMax the largest message taken, 0 or more */
    public MessageReader(int messageBytesMax) {
        this.messageBytesMax = messageBytesMax;
        message = new GrowableBytes(messageBytesMax);
    }

    /**
     * Reads on.
     *
     * @param array left as it is
     * @param nowNs for the bound on control frames
     * @return the index behind the last byte consumed: {@code to}, or less where the reader has
     *     ended or holds a message
     */
    public int read(byte[] array, int from, int to, long nowNs, MessageSink sink) {
        Objects.checkFromToIndex(from, to, array.length);
        if (held) {
            offer(sink);
        }
        int at = from;
        while (at < to && !ended && !held) {
            switch (state) {
                case FIRST -> first(array[at++], nowNs, sink);
                case SECOND -> second(array[at++], sink);
                case LENGTH -> length(array[at++], sink);
                case KEY -> key(array[at++], sink);
                default -> at = payload(array, at, to, sink);
            }
        }
        return at;
    }

    /** Whether a message that was answered "not now" waits inside. */
    public boolean holdsMessage() {
        return held;
    }

    /** Whether a close frame or a violation was seen. */
    public boolean isEnded() {
        return ended;
    }

    /** Bytes of memory that depend on what the peer sends. */
    public long capacity() {
        return (long) message.capacity() + control.capacity();
    }

    private void first(byte octet, long nowNs, MessageSink sink) {
        fin = (octet & WsFrames.FIN) != 0;
        opcode = octet & OPCODE_BITS;
        if ((octet & RESERVED_BITS) != 0) {
            violate(FrameViolation.WS_RESERVED_BITS, sink);
        } else if (opcode > WsFrames.PONG || opcode > WsFrames.BINARY && opcode < WsFrames.CLOSE) {
            violate(FrameViolation.WS_OPCODE, sink);
        } else if (isControl()) {
            beginControl(nowNs, sink);
        } else {
            beginData(sink);
        }
        state = SECOND;
    }

    private boolean isControl() {
        return opcode >= WsFrames.CLOSE;
    }

    private void beginControl(long nowNs, MessageSink sink) {
        if (!fin) {
            violate(FrameViolation.WS_CONTROL_FRAGMENTED, sink);
            return;
        }
        if (controlFrames == 0 || nowNs - controlSinceNs >= SECOND_NS) {
            controlSinceNs = nowNs;
            controlFrames = 0;
        }
        // A close frame is the last one anyway.
        if (opcode != WsFrames.CLOSE && ++controlFrames > CONTROL_FRAMES_MAX) {
            violate(FrameViolation.WS_CONTROL_RATE, sink);
        }
    }

    private void beginData(MessageSink sink) {
        boolean continuation = opcode == WsFrames.CONTINUATION;
        if (continuation && messageOpcode == 0) {
            violate(FrameViolation.WS_CONTINUATION, sink);
        } else if (!continuation && messageOpcode != 0) {
            violate(FrameViolation.WS_MESSAGE_INSIDE_MESSAGE, sink);
        } else if (++fragments > FRAGMENTS_MAX) {
            violate(FrameViolation.WS_FRAGMENTS, sink);
        } else if (!continuation) {
            messageOpcode = opcode;
        }
    }

    private void second(byte octet, MessageSink sink) {
        if ((octet & MASK_BIT) == 0) {
            violate(FrameViolation.WS_UNMASKED, sink);
            return;
        }
        length = octet & LENGTH_BITS;
        if (isControl() && length > WsFrames.CONTROL_BYTES_MAX) {
            violate(FrameViolation.WS_CONTROL_TOO_LONG, sink);
        } else if (opcode == WsFrames.CLOSE && length > 0 && length < CODE_BYTES) {
            violate(FrameViolation.WS_CLOSE_LENGTH, sink);
        } else if (length < WsFrames.LENGTH_IN_TWO) {
            beginKey(sink);
        } else {
            boolean inTwo = length == WsFrames.LENGTH_IN_TWO;
            fieldMissing = inTwo ? Short.BYTES : Long.BYTES;
            lengthMin = inTwo ? WsFrames.LENGTH_IN_TWO : WsFrames.LENGTH_IN_TWO_MAX + 1;
            length = 0;
            state = LENGTH;
        }
    }

    private void length(byte octet, MessageSink sink) {
        length = length << 8 | octet & 0xff;
        fieldMissing--;
        // Only the highest bit of eight bytes makes it negative, which is below any minimum.
        if (fieldMissing == 0 && length < lengthMin) {
            violate(FrameViolation.WS_LENGTH, sink);
        } else if (fieldMissing == 0) {
            beginKey(sink);
        }
    }

    private void beginKey(MessageSink sink) {
        if (!isControl() && length > messageBytesMax - message.length()) {
            violate(FrameViolation.WS_MESSAGE_TOO_LARGE, sink);
            return;
        }
        key = 0;
        fieldMissing = KEY_BYTES;
        state = KEY;
    }

    private void key(byte octet, MessageSink sink) {
        key = key << 8 | octet & 0xff;
        if (--fieldMissing == 0) {
            payloadCount = 0;
            state = PAYLOAD;
            if (length == 0) {
                endFrame(sink);
            }
        }
    }

    /** Takes what there is of the frame's payload; returns the index behind it. */
    private int payload(byte[] array, int at, int to, MessageSink sink) {
        int count = (int) Math.min(to - at, length - payloadCount);
        GrowableBytes into = isControl() ? control : message;
        int start = into.length();
        into.append(array, at, count);
        // The key as it stands for the first of these bytes.
        unmask(into.array(), start, into.length(), Integer.rotateLeft(key, payloadCount << 3));
        payloadCount += count;
        if (messageOpcode == WsFrames.TEXT && !isControl()) {
            int wrongAt = utf8.check(into.array(), start, into.length());
            if (wrongAt < into.length()) {
                violate(FrameViolation.WS_UTF8, sink);
                return at + wrongAt - start + 1;
            }
        }
        if (payloadCount == length) {
            endFrame(sink);
        }
        return at + count;
    }

    /** @param key its highest byte is for {@code from} */
    private static void unmask(byte[] array, int from, int to, int key) {
        byte first = (byte) (key >> 24);
        byte second = (byte) (key >> 16);
        byte third = (byte) (key >> 8);
        byte fourth = (byte) key;
        int at = from;
        for (; at + KEY_BYTES <= to; at += KEY_BYTES) {
            array[at] ^= first;
            array[at + 1] ^= second;
            array[at + 2] ^= third;
            array[at + 3] ^= fourth;
        }
        for (int turned = key; at < to; at++) {
            array[at] ^= (byte) (turned >> 24);
            turned <<= 8;
        }
    }

    private void endFrame(MessageSink sink) {
        state = FIRST;
        if (isControl()) {
            endControl(sink);
        } else if (fin) {
            endMessage(sink);
        }
    }

    private void endMessage(MessageSink sink) {
        fragments = 0;
        if (!utf8.isComplete()) {
            violate(FrameViolation.WS_UTF8, sink);
            return;
        }
        offer(sink);
    }

    private void offer(MessageSink sink) {
        held = false;
        boolean taken = true;
        try {
            taken = sink.onMessage(messageOpcode, gathered());
        } finally {
            if (taken) {
                messageOpcode = 0;
                message.clear();
                message.shed(KEPT_BYTES);
                view = message.capacity() == 0 ? NOTHING : view;
            } else {
                held = true;
            }
        }
    }

    private ByteBuffer gathered() {
        if (message.length() == 0) {
            return NOTHING;
        }
        if (view.array() != message.array()) {
            view = ByteBuffer.wrap(message.array());
        }
        // The sink may have left the last one in any state.
        view.order(ByteOrder.BIG_ENDIAN).clear().limit(message.length());
        return view;
    }

    private void endControl(MessageSink sink) {
        ByteBuffer payload = control.length() == 0 ? NOTHING
                : ByteBuffer.wrap(control.array(), 0, control.length());
        try {
            switch (opcode) {
                case WsFrames.PING -> sink.onPing(payload);
                case WsFrames.PONG -> sink.onPong(payload);
                default -> endClose(payload, sink);
            }
        } finally {
            control.clear();
        }
    }

    private void endClose(ByteBuffer payload, MessageSink sink) {
        if (!payload.hasRemaining()) {
            end();
            sink.onClose(CloseCode.NONE);
            return;
        }
        int code = payload.getShort() & 0xffff;
        utf8.reset();
        boolean readable = utf8.check(payload.array(), payload.position(), payload.limit())
                == payload.limit() && utf8.isComplete();
        if (!CloseCode.isValid(code)) {
            violate(FrameViolation.WS_CLOSE_CODE, sink);
        } else if (!readable) {
            violate(FrameViolation.WS_UTF8, sink);
        } else {
            end();
            sink.onClose(code);
        }
    }

    private void violate(FrameViolation violation, MessageSink sink) {
        end();
        sink.onViolation(violation.closeCode(), violation.kind());
    }

    /** Gives back what was gathered: nothing will be added to it. */
    private void end() {
        ended = true;
        message.clear();
        message.shed(0);
        control.clear();
        control.shed(0);
        view = NOTHING;
    }
}
