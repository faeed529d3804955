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
     */
    record FileRegion(Path path, long offset, long length) implements Body { }

    /** Bytes of unknown number, chunked for HTTP/1.1 and ended by the close for HTTP/1.0. */
    record Chunks(ChunkSource source) implements Body { }

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
     */
    record WebSocket(String subprotocol, int messageBytesMax) implements Body { }

    /** An answer that comes later. */
    record Later(Deferred deferred) implements Body { }
}
