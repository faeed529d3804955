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

    /** An answer that {@link #deferral()} gives later. */
    public static Response deferred() {
        throw new UnsupportedOperationException("deferred answers are not served yet");
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
        private final int status;
        private final List<String> fields = new ArrayList<>();
        private Body body = Body.None.NONE;
        private boolean close;

        private Builder(int status) {
            if (status < 200 || status > Status.HIGHEST) {
                throw new IllegalArgumentException("status=" + status + " is not in 200..599");
            }
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
            if (offset < 0 || length < 0) {
                throw new IllegalArgumentException("offset=" + offset + " length=" + length);
            }
            body = new Body.FileRegion(path, offset, length);
            return this;
        }

        /** Bytes of unknown number. */
        public Builder chunks(ChunkSource source) {
            body = new Body.Chunks(source);
            return this;
        }

        /** A Server-Sent Events stream on {@code channel}. */
        public Builder events(String channel, StreamPolicy policy, boolean replay,
                List<byte[]> initialFrames) {
            body = new Body.Events(channel, policy, replay, List.copyOf(initialFrames));
            return this;
        }

        /** A WebSocket; the status is 101 when it is sent. */
        public Builder webSocket(String subprotocol, int messageBytesMax) {
            body = new Body.WebSocket(subprotocol, messageBytesMax);
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
