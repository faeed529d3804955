package m0.http;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One answer: a status, field lines and a {@link Body}.
 *
 * <p>It is immutable, and its head is encoded once, when it is built; so a constant may be made once
 * and shared by all threads, and costs two copies when it is sent. The host adds what belongs to the
 * connection or the moment: {@code Date}, {@code Connection}, and {@code Server} where the
 * application named none.
 *
 * <p>Errors: builders throw {@code IllegalArgumentException} for a name that is no token and for a
 * value with a control byte (CR, LF and NUL above all) in it.
 */
public final class Response {
    private final int status;
    private final List<String> fields;
    private final Body body;
    private final boolean close;
    private final byte[] head;

    private Response(Builder builder) {
        status = builder.status;
        fields = List.copyOf(builder.fields);
        body = builder.body;
        close = builder.close;
        head = HeadEncoding.encode(this);
    }

    /** Begins a response. {@code status} is 200 to 599: interim answers are the host's own. */
    public static Builder status(int status) {
        if (status < 200 || status > Status.HIGHEST) {
            throw new IllegalArgumentException("status=" + status + " is not in 200..599");
        }
        return new Builder(status);
    }

    /** A response without a body. */
    public static Response empty(int status) {
        return new Builder(status).build();
    }

    /** A {@code text/plain; charset=utf-8} response. */
    public static Response text(int status, String text) {
        return new Builder(status).contentType("text/plain; charset=utf-8").body(text).build();
    }

    /**
     * An answer that {@link #deferral()} gives later, once, from any thread. The connection waits for
     * it without holding a thread; {@code afterResponse} sees what was given, on the loop.
     */
    public static Response deferred() {
        Builder builder = new Builder(200);
        builder.body = new Body.Later(new Deferred());
        return builder.build();
    }

    public int status() {
        return status;
    }

    public Body body() {
        return body;
    }

    /** Whether the application wants the connection closed after this answer. */
    public boolean close() {
        return close;
    }

    /** The first value of the named field, in any letter case, or null. */
    public String field(String name) {
        for (int index = 0; index < fields.size(); index += 2) {
            if (fields.get(index).equalsIgnoreCase(name)) {
                return fields.get(index + 1);
            }
        }
        return null;
    }

    /** Name and value by turns, as the application set them. */
    public List<String> fields() {
        return fields;
    }

    /** What completes a deferred answer. */
    public Deferred deferral() {
        if (body instanceof Body.Later later) {
            return later.deferred();
        }
        throw new IllegalStateException("this answer is not deferred");
    }

    /** A builder with this response's status, fields and body, for {@code afterResponse}. */
    public Builder toBuilder() {
        Builder builder = new Builder(status);
        builder.fields.addAll(fields);
        builder.body = body;
        builder.close = close;
        return builder;
    }

    /**
     * The status line and field lines as they are sent, each with its CRLF, and without
     * {@code Date}, {@code Connection} and the blank line. The caller changes nothing in it.
     */
    public byte[] encodedHead() {
        return head;
    }

    /** Collects a response. Not for two threads. */
    public static final class Builder {
        private int status;
        private final List<String> fields = new ArrayList<>();
        private Body body = Body.None.NONE;
        private boolean close;

        private Builder(int status) {
            this.status = status;
        }

        /**
         * Adds a field line. {@code Connection: close} is {@link #close()}; the framing fields and
         * {@code Date} are the host's, and are left out; {@code Content-Length} is kept for 304, and
         * of several {@code Server} lines the first.
         */
        public Builder header(String name, String value) {
            HeadEncoding.checkField(name, value);
            fields.add(name);
            fields.add(value);
            return this;
        }

        public Builder contentType(String type) {
            return header("Content-Type", type);
        }

        /** The text's UTF-8 bytes. */
        public Builder body(String text) {
            return body(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Bytes that nobody changes any more. */
        public Builder body(byte[] bytes) {
            return body(bytes, 0, bytes.length);
        }

        /** Part of an array that nobody changes any more. */
        public Builder body(byte[] bytes, int offset, int length) {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            body = new Body.Bytes(bytes, offset, length);
            return this;
        }

        /** {@code length} bytes of a file from {@code offset}. */
        public Builder file(Path path, long offset, long length) {
            return file(path, offset, length, null);
        }

        /**
         * {@code length} bytes of a file from {@code offset}, for an answer whose fields say what the
         * file was like.
         *
         * @param state what it was like, or null; where it is another when it is opened, the answer is
         *     503 in the place of this one
         */
        public Builder file(Path path, long offset, long length, FileState state) {
            if (offset < 0 || length < 0) {
                throw new IllegalArgumentException("offset=" + offset + " length=" + length);
            }
            body = new Body.FileRegion(path, offset, length, state);
            return this;
        }

        /** The answer to HEAD where nobody knows what GET would have: no length, and no coding. */
        public Builder untold() {
            body = Body.Untold.UNTOLD;
            return this;
        }

        /** Bytes of unknown number. A source is used once, so such a response is no constant. */
        public Builder chunks(ChunkSource source) {
            return chunks(source, Body.Chunks.UNKNOWN);
        }

        /**
         * Bytes of a source, announced by their number. A source is used once, so such a response is
         * no constant.
         *
         * @param length how many it brings, neither fewer nor more; −1 where nobody knows
         */
        public Builder chunks(ChunkSource source, long length) {
            body = new Body.Chunks(source, length);
            return this;
        }

        /**
         * A Server-Sent Events stream on {@code channel}; the host adds the fields it needs.
         *
         * @param replay whether a {@code Last-Event-ID} is answered from the journal
         * @param initialFrames encoded events that go out first; see {@code m0.sse.SseFrames}
         */
        public Builder events(String channel, StreamPolicy policy, boolean replay,
                List<byte[]> initialFrames) {
            for (byte[] frame : initialFrames) {
                if (frame.length == 0) {
                    throw new IllegalArgumentException("an initial frame is empty");
                }
            }
            body = new Body.Events(channel, policy, replay, List.copyOf(initialFrames));
            return this;
        }

        /** A WebSocket whose client is closed, and may come back, when it is too slow. */
        public Builder webSocket(String subprotocol, int messageBytesMax) {
            return webSocket(new Body.WebSocket(subprotocol, messageBytesMax));
        }

        /**
         * A WebSocket: the status becomes 101. Where the request is no proper handshake the host
         * refuses it instead.
         *
         * @param subprotocol one of those the client offered, or empty for none
         * @param messageBytesMax the largest message taken, or 0 for the setting's
         * @param policy what a full outbox does with a frame of a channel: drop it, or close (1013)
         */
        public Builder webSocket(String subprotocol, int messageBytesMax, StreamPolicy policy) {
            return webSocket(new Body.WebSocket(subprotocol, messageBytesMax, policy));
        }

        private Builder webSocket(Body.WebSocket webSocket) {
            if (!webSocket.subprotocol().isEmpty()) {
                HeadEncoding.checkField(webSocket.subprotocol(), "");
            }
            status = Status.SWITCHING_PROTOCOLS;
            body = webSocket;
            return this;
        }

        /** Closes the connection after this answer. */
        public Builder close() {
            close = true;
            return this;
        }

        public Response build() {
            return new Response(this);
        }
    }
}
