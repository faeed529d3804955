package chat;

import java.util.ArrayDeque;
import java.util.Collection;

/**
 * The last messages of the room, oldest first, for whoever comes.
 *
 * <p>Limits: {@link #MESSAGES_MAX} messages and {@link #BYTES_MAX} bytes together, so that all of
 * them fit into a new stream's outbox; the oldest give way.
 */
final class History {
    static final int MESSAGES_MAX = 50;
    static final int BYTES_MAX = 24 * 1024;

    private final ArrayDeque<byte[]> messages = new ArrayDeque<>();
    private int bytes;

    /** Remembers a message. */
    void add(byte[] message) {
        messages.addLast(message);
        bytes += message.length;
        while (messages.size() > MESSAGES_MAX || bytes > BYTES_MAX) {
            bytes -= messages.removeFirst().length;
        }
    }

    Collection<byte[]> messages() {
        return messages;
    }
}
