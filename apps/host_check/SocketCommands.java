package host_check;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import m0.app.HostContext;
import m0.stream.StreamId;

/**
 * What a WebSocket asks of its application. A text message that is a command is carried out, and
 * everything else comes back with its opcode:
 *
 * <pre>
 * close CODE        the application closes it, and then tries to send one more message
 * subscribe NAME    its frames come too; answered by "subscribed NAME" or "refused NAME"
 * hold [MS]         the messages behind it are "not now", until a tick MS later or /resume
 * flood N BYTES     N binary messages of that length, as far as they are taken
 * </pre>
 *
 * <p>Threads: the loop's. Limits: floods 100,000 messages of 4 MiB; beyond it, and where a number
 * cannot be read, the text comes back as any other.
 */
final class SocketCommands {
    static final int FLOOD_MESSAGES_MAX = 100_000;
    static final int FLOOD_BYTES_MAX = 4 * 1024 * 1024;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int HOLD_MS_MAX = 600_000;

    private final HostContext context;
    private final Map<StreamId, Long> heldUntilMs = new HashMap<>();
    private long tickedMs;
    private long resumesSeen;
    private long flooded;
    private long sentBehindClose;

    SocketCommands(HostContext context) {
        this.context = context;
    }

    /** Takes a message; false for "not now". */
    boolean message(StreamId stream, int opcode, ByteBuffer payload) {
        if (heldUntilMs.containsKey(stream)) {
            return false;
        }
        if (opcode == TEXT) {
            String text = StandardCharsets.UTF_8.decode(payload.duplicate()).toString();
            int blank = text.indexOf(' ');
            String verb = blank < 0 ? text : text.substring(0, blank);
            String rest = blank < 0 ? "" : text.substring(blank + 1);
            boolean done = switch (verb) {
                case "close" -> close(stream, rest);
                case "subscribe" -> subscribe(stream, rest);
                case "hold" -> hold(stream, rest);
                case "flood" -> flood(stream, rest);
                default -> false;
            };
            if (done) {
                return true;
            }
        }
        return context.streams().send(stream, opcode, payload);
    }

    private boolean close(StreamId stream, String code) {
        int number = number(code, 65_535);
        if (number < 0) {
            return false;
        }
        context.streams().close(stream, number);
        if (context.streams().send(stream, TEXT, utf8("behind the close"))) {
            sentBehindClose++;
        }
        return true;
    }

    private boolean subscribe(StreamId stream, String channel) {
        boolean done = context.streams().subscribe(stream, channel);
        context.streams().send(stream, TEXT,
                utf8((done ? "subscribed " : "refused ") + channel));
        return true;
    }

    private boolean hold(StreamId stream, String forMs) {
        int ms = number(forMs, HOLD_MS_MAX);
        heldUntilMs.put(stream, ms < 0 ? Long.MAX_VALUE : tickedMs + ms);
        return true;
    }

    private boolean flood(StreamId stream, String arguments) {
        int blank = arguments.indexOf(' ');
        if (blank < 0) {
            return false;
        }
        int messages = number(arguments.substring(0, blank), FLOOD_MESSAGES_MAX);
        int bytes = number(arguments.substring(blank + 1), FLOOD_BYTES_MAX);
        if (messages < 0 || bytes < 0) {
            return false;
        }
        byte[] payload = new byte[bytes];
        Pattern.fill(payload, 0);
        int sent = 0;
        while (sent < messages
                && context.streams().send(stream, BINARY, ByteBuffer.wrap(payload))) {
            sent++;
        }
        flooded += sent;
        return true;
    }

    /** Forgets what a stream that has closed was held for. */
    void closed(StreamId stream) {
        heldUntilMs.remove(stream);
    }

    /** Goes on with those whose time has come, and with all where any loop was asked to. */
    void tick(long nowMs) {
        tickedMs = nowMs;
        long resumes = context.page().get(HostCheck.RESUMES_WORD);
        if (resumes != resumesSeen) {
            resumesSeen = resumes;
            resume(Long.MAX_VALUE);
        }
        resume(nowMs);
    }

    /** Asks every loop to go on: this one now, the others in their next tick. */
    int resumeAll() {
        resumesSeen = context.page().add(HostCheck.RESUMES_WORD, 1);
        return resume(Long.MAX_VALUE);
    }

    private int resume(long untilMs) {
        int count = 0;
        for (StreamId stream : List.copyOf(heldUntilMs.keySet())) {
            Long heldMs = heldUntilMs.get(stream);
            // Going on may end in another hold, or in the end of any of them.
            if (heldMs != null && heldMs <= untilMs) {
                heldUntilMs.remove(stream);
                context.streams().resume(stream);
                count++;
            }
        }
        return count;
    }

    /** How many messages floods had taken, and how many were taken behind a close. */
    String json() {
        return "{\"flooded\":" + flooded + ",\"sentBehindClose\":" + sentBehindClose
                + ",\"held\":" + heldUntilMs.size() + "}";
    }

    /** A number from 0 to {@code max}, or −1. */
    private static int number(String text, int max) {
        try {
            int number = Integer.parseInt(text);
            return number <= max ? number : -1;
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
