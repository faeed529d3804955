package m0.ws;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A client's frames one behind the other, right ones and wrong ones; also for who serves them. */
public final class ClientFrames {
    static final int KEY = 0x37fa213d;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A whole message. */
    public ClientFrames text(String text) {
        return frame(true, WsFrames.TEXT, utf8(text));
    }

    public ClientFrames binary(int bytes) {
        return frame(true, WsFrames.BINARY, pattern(bytes));
    }

    public ClientFrames ping(String payload) {
        return frame(true, WsFrames.PING, utf8(payload));
    }

    public ClientFrames close(int code, String reason) {
        return frame(true, WsFrames.CLOSE, closing(code, utf8(reason)));
    }

    /** A frame as a client sends it, its length in as few bytes as there can be. */
    public ClientFrames frame(boolean fin, int opcode, byte[] payload) {
        int size = payload.length <= 125 ? 0 : payload.length <= 0xffff ? 2 : 8;
        return head((fin ? 0x80 : 0) | opcode, 0x80, payload.length, size).masked(payload);
    }

    /** The first two bytes and the length in {@code size} bytes: 0, 2 or 8. */
    public ClientFrames head(int first, int mask, long length, int size) {
        out.write(first);
        out.write(mask | (size == 0 ? (int) length : size == 2 ? 126 : 127));
        for (int shift = 8 * size - 8; shift >= 0; shift -= 8) {
            out.write((int) (length >> shift));
        }
        return this;
    }

    /** The key and a payload behind a head. */
    public ClientFrames masked(byte[] payload) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.write(KEY >> shift);
        }
        for (int index = 0; index < payload.length; index++) {
            out.write(payload[index] ^ KEY >> 24 - 8 * (index % 4));
        }
        return this;
    }

    public ClientFrames raw(int... octets) {
        for (int octet : octets) {
            out.write(octet);
        }
        return this;
    }

    public ClientFrames rawBytes(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    public static byte[] closing(int code, byte[] reason) {
        byte[] payload = new byte[2 + reason.length];
        payload[0] = (byte) (code >> 8);
        payload[1] = (byte) code;
        System.arraycopy(reason, 0, payload, 2, reason.length);
        return payload;
    }

    /** Bytes of which no two neighbours and no two at a distance of a power of two are equal. */
    public static byte[] pattern(int bytes) {
        byte[] pattern = new byte[bytes];
        for (int index = 0; index < bytes; index++) {
            pattern[index] = (byte) (index * 31 + (index >> 8));
        }
        return pattern;
    }

    public static byte[] octets(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int index = 0; index < octets.length; index++) {
            bytes[index] = (byte) octets[index];
        }
        return bytes;
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
