package m0.http;

import java.nio.file.Path;
import java.util.List;

/** What follows a response's head: one of these kinds. */
public sealed interface Body {
    /** Nothing. */
    record None() implements Body {
        public static final None NONE = new None();
    }

    /**
     * Nothing, for HEAD, where nobody knows what GET would have: neither a length nor a coding is told,
     * as RFC 9110 §9.3.2 allows. To another method the close ends this body, which has no byte.
     */
    record Untold() implements Body {
        public static final Untold UNTOLD = new Untold();
    }

    /**
     * Bytes in memory, which nobody changes any more.
     *
     * @param offset where they begin in {@code array}
     * @param length how many they are
     */
    record Bytes(byte[] array, int offset, int length) implements Body { }

    /**
     * Part of a file, opened when the response is written.
     *
     * @param offset the first byte sent
     * @param length how many are sent; a file that turns out shorter cuts the connection
     * @param state what the answer's fields were made of, or null: a file that is another by then is
     *     not sent, and the client is asked to come again
     */
    record FileRegion(Path path, long offset, long length, FileState state) implements Body {
        /** Part of a file, whatever it is like by then. */
        public FileRegion(Path path, long offset, long length) {
            this(path, offset, length, null);
        }
    }

    /**
     * Bytes that a source brings piece by piece.
     *
     * @param length how many they are in all, which is then announced, and a source that brings
     *     fewer or more cuts the connection; or {@link #UNKNOWN}: chunked for HTTP/1.1, and ended by
     *     the close for HTTP/1.0
     */
    record Chunks(ChunkSource source, long length) implements Body {
        /** The length of a body that ends where its source does. */
        public static final long UNKNOWN = -1;

        public Chunks {
            if (length < UNKNOWN) {
                throw new IllegalArgumentException("length=" + length);
            }
        }

        /** Whether the length is known, and so announced. */
        public boolean isSized() {
            return length != UNKNOWN;
        }
    }

    /**
     * A Server-Sent Events stream.
     *
     * @param channel whose frames it carries
     * @param policy what a full outbox does
     * @param replay whether a {@code Last-Event-ID} is answered from the journal
     * @param initialFrames encoded frames that go out first, in order
     */
    record Events(String channel, StreamPolicy policy, boolean replay, List<byte[]> initialFrames)
            implements Body { }

    /**
     * A WebSocket (RFC 6455), opened by 101.
     *
     * @param subprotocol the one agreed to, or empty
     * @param messageBytesMax the largest message taken, or 0 for the setting's
     * @param policy what a full outbox does with a frame of a channel: drop it, or close (1013)
     */
    record WebSocket(String subprotocol, int messageBytesMax, StreamPolicy policy)
            implements Body {
        /** One whose client is closed, and may come back, when it is too slow. */
        public WebSocket(String subprotocol, int messageBytesMax) {
            this(subprotocol, messageBytesMax, StreamPolicy.LOG);
        }
    }

    /** An answer that comes later. */
    record Later(Deferred deferred) implements Body { }
}
