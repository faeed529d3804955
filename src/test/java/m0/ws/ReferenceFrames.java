package m0.ws;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A second reader, which has the whole input before it and shares nothing with the first: it looks
 * for what the bytes say, frame by frame, and asks the JDK what UTF-8 is.
 */
final class ReferenceFrames {
    private static final int[] COMPLETIONS = {0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf};

    private final byte[] input;
    private final int messageBytesMax;
    private final List<String> events = new ArrayList<>();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private int at;
    private int kind;
    private int frames;
    private int controls;

    private ReferenceFrames(byte[] input, int messageBytesMax) {
        this.input = input;
        this.messageBytesMax = messageBytesMax;
    }

    static List<String> events(byte[] input, int messageBytesMax) {
        var reference = new ReferenceFrames(input, messageBytesMax);
        while (reference.at < input.length && reference.frame()) {
            // One frame a turn.
        }
        return reference.events;
    }

    /** Reads a frame; false where it is the last thing that can be read. */
    private boolean frame() {
        int first = octet(0);
        int opcode = first % 16;
        boolean fin = first >= 128;
        String wrong = wrongFirst(first, opcode, fin);
        if (wrong != null) {
            return refuse(wrong);
        }
        if (at + 1 == input.length) {
            return false;
        }
        wrong = wrongSecond(octet(1), opcode);
        if (wrong != null) {
            return refuse(wrong);
        }
        int announced = octet(1) - 128;
        int size = announced == 126 ? 2 : announced == 127 ? 8 : 0;
        if (at + 2 + size > input.length) {
            return false;
        }
        var length = new BigInteger(1, Arrays.copyOfRange(input, at + 2, at + 2 + size));
        if (size == 0) {
            length = BigInteger.valueOf(announced);
        }
        if (size == 2 && length.intValue() < 126 || size == 8
                && (length.bitLength() == 64 || length.bitLength() < 17)) {
            return refuse("1002 ws_length");
        }
        if (opcode < 8 && length.add(BigInteger.valueOf(message.size()))
                .compareTo(BigInteger.valueOf(messageBytesMax)) > 0) {
            return refuse("1009 ws_message_too_large");
        }
        return payload(opcode, fin, at + 2 + size, length.intValue());
    }

    private String wrongFirst(int first, int opcode, boolean fin) {
        if ((first >> 4) % 8 != 0) {
            return "1002 ws_reserved_bits";
        }
        if (!List.of(0, 1, 2, 8, 9, 10).contains(opcode)) {
            return "1002 ws_opcode";
        }
        if (opcode >= 8) {
            if (!fin) {
                return "1002 ws_control_fragmented";
            }
            controls += opcode == 8 ? 0 : 1;
            return controls > 100 ? "1008 ws_control_rate" : null;
        }
        if (opcode == 0 && kind == 0) {
            return "1002 ws_continuation";
        }
        if (opcode != 0 && kind != 0) {
            return "1002 ws_message_inside_message";
        }
        kind = opcode == 0 ? kind : opcode;
        frames++;
        return frames > 1024 ? "1008 ws_fragments" : null;
    }

    private static String wrongSecond(int second, int opcode) {
        if (second < 128) {
            return "1002 ws_unmasked";
        }
        if (opcode >= 8 && second > 128 + 125) {
            return "1002 ws_control_too_long";
        }
        return opcode == 8 && second == 128 + 1 ? "1002 ws_close_length" : null;
    }

    private boolean payload(int opcode, boolean fin, int keyAt, int length) {
        int from = keyAt + 4;
        int to = Math.min(input.length, from + length);
        byte[] payload = new byte[Math.max(0, to - from)];
        for (int index = 0; index < payload.length; index++) {
            payload[index] = (byte) (input[from + index] ^ input[keyAt + index % 4]);
        }
        boolean complete = from + length <= input.length;
        at = from + length;
        if (opcode >= 8) {
            return complete && control(opcode, payload);
        }
        message.writeBytes(payload);
        if (kind == 1 && !canBecomeUtf8(message.toByteArray())) {
            return refuse("1007 ws_utf8");
        }
        if (!complete) {
            return false;
        }
        if (!fin) {
            return true;
        }
        if (kind == 1 && !isUtf8(message.toByteArray())) {
            return refuse("1007 ws_utf8");
        }
        events.add((kind == 1 ? "text " : "binary ") + Transcript.shown(message.toByteArray()));
        message.reset();
        kind = 0;
        frames = 0;
        return true;
    }

    private boolean control(int opcode, byte[] payload) {
        if (opcode != 8) {
            events.add((opcode == 9 ? "ping " : "pong ") + Transcript.shown(payload));
            return true;
        }
        if (payload.length == 0) {
            events.add("close 1005");
            return false;
        }
        int code = ByteBuffer.wrap(payload).getChar();
        boolean unassigned = code > 1003 && code < 1007 || code > 1014 && code < 3000;
        if (code < 1000 || code > 4999 || unassigned) {
            return refuse("1002 ws_close_code");
        }
        if (!isUtf8(Arrays.copyOfRange(payload, 2, payload.length))) {
            return refuse("1007 ws_utf8");
        }
        events.add("close " + code);
        return false;
    }

    private boolean refuse(String what) {
        events.add("violation " + what);
        return false;
    }

    private int octet(int index) {
        return input[at + index] & 0xff;
    }

    /** Whether up to three more bytes make it well-formed. */
    private static boolean canBecomeUtf8(byte[] text) {
        return isUtf8(text) || canBecomeUtf8(text, 3);
    }

    private static boolean canBecomeUtf8(byte[] text, int more) {
        if (more == 0) {
            return false;
        }
        byte[] longer = Arrays.copyOf(text, text.length + 1);
        for (int octet : COMPLETIONS) {
            longer[text.length] = (byte) octet;
            if (isUtf8(longer) || canBecomeUtf8(longer, more - 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUtf8(byte[] text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }
}
