package m0.ws;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes down what a reader says, and answers "not now" as often as it is told to. */
final class Transcript implements MessageSink {
    private static final int SHOWN_MAX = 40;

    final List<String> events = new ArrayList<>();
    /** How many of the next messages are refused before one is taken. */
    int refusals;

    @Override
    public boolean onMessage(int opcode, ByteBuffer payload) {
        if (refusals > 0) {
            refusals--;
            return false;
        }
        events.add((opcode == WsFrames.TEXT ? "text " : "binary ") + shown(bytes(payload)));
        return true;
    }

    @Override
    public void onPing(ByteBuffer payload) {
        events.add("ping " + shown(bytes(payload)));
    }

    @Override
    public void onPong(ByteBuffer payload) {
        events.add("pong " + shown(bytes(payload)));
    }

    @Override
    public void onClose(int code) {
        events.add("close " + code);
    }

    @Override
    public void onViolation(int closeCode, String kind) {
        events.add("violation " + closeCode + " " + kind);
    }

    private static byte[] bytes(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return bytes;
    }

    /** Short payloads as they are, long ones by their number and a hash. */
    static String shown(byte[] payload) {
        return payload.length <= SHOWN_MAX ? new String(payload, StandardCharsets.ISO_8859_1)
                : payload.length + " bytes " + Arrays.hashCode(payload);
    }
}
