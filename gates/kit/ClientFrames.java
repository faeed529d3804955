package kit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** A WebSocket client's frames one behind the other, right ones and wrong ones (RFC 6455 §5.2). */
public final class ClientFrames {

    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A whole text message. */
    public ClientFrames text(String text) {
        return frame(true, TEXT, utf8(text));
    }

    public ClientFrames binary(byte[] payload) {
        return frame(true, BINARY, payload);
    }

    public ClientFrames ping(String payload) {
        return frame(true, PING, utf8(payload));
    }

    /** A close frame with a code and a reason. */
    public ClientFrames close(int code, String reason) {
        return frame(true, CLOSE, closing(code, utf8(reason)));
    }

    /** A frame as a client is to send it. */
    public ClientFrames frame(boolean fin, int opcode, byte[] payload) {
        int size = payload.length <= 125 ? 0 : payload.length <= 0xffff ? 2 : 8;
        return head((fin ? 0x80 : 0) | opcode, true, payload.length, size).masked(payload);
    }

    /**
     * The first byte, the mask bit, and a length in {@code size} bytes, 0, 2 or 8, whether it is
     * right so or not.
     */
    public ClientFrames head(int first, boolean masked, long length, int size) {
        out.write(first);
        out.write((masked ? 0x80 : 0) | (size == 0 ? (int) length : size == 2 ? 126 : 127));
        for (int shift = 8 * size - 8; shift >= 0; shift -= 8) {
            out.write((int) (length >> shift));
        }
        return this;
    }

    /** A random key, and a payload under it. */
    public ClientFrames masked(byte[] payload) {
        byte[] key = new byte[4];
        ThreadLocalRandom.current().nextBytes(key);
        out.writeBytes(key);
        for (int index = 0; index < payload.length; index++) {
            out.write(payload[index] ^ key[index % 4]);
        }
        return this;
    }

    public ClientFrames raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    /** The payload of a close frame. */
    public static byte[] closing(int code, byte[] reason) {
        byte[] payload = new byte[2 + reason.length];
        payload[0] = (byte) (code >> 8);
        payload[1] = (byte) code;
        System.arraycopy(reason, 0, payload, 2, reason.length);
        return payload;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
