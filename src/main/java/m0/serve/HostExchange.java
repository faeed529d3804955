package m0.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import m0.http.Deferred;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.host.Service.FailureLog;
import m0.pool.EarlyAnswer;

/**
 * One request and its answer as the JDK's {@code HttpHandler} sees them.
 *
 * <p>What is written stays here up to {@value #HELD_BYTES_MAX} bytes, and an answer that is whole by
 * then leaves at once. A longer one, or one that is flushed before its end, leaves through an
 * {@link AnswerPipe}, in which its writer waits for its client.
 * <pre>
 *          sendResponseHeaders          more than fits, or flush
 *   OPEN ----------------------> HELD --------------------------> PIPED
 *    |                             | whole, or cut short             | whole, or cut short
 *    | close                       v                                 v
 *    +------------------------> ENDED <-------------------------------
 * </pre>
 * The answer is given early as long as the handler has not returned, and by a deferral behind that:
 * a handler may return and leave the exchange to another thread. One that nobody closes is named in
 * the log when the host stops waiting for it.
 *
 * <p>Threads: any, one at a time for what is read and written; {@link #close()} beside a writer too.
 * Limits: the request's body is whole; {@value #HELD_BYTES_MAX} bytes held, and as many in the pipe.
 * Errors: as the JDK's, an {@code IOException} where the order of calls or the length is wrong, or
 * nobody waits for the answer any more; and what would begin another field line is left out.
 */
final class HostExchange extends HttpExchange {
    static final int HELD_BYTES_MAX = 64 * 1024;
    private static final int HELD_BYTES_FIRST = 2048;
    /** A body from here on costs more to copy once more than the fields cost to be kept apart. */
    private static final int LARGE_BODY_BYTES = 64 * 1024;
    /** {@code sendResponseHeaders}: as many as come, and none at all. */
    private static final long AS_MANY = 0;
    private static final long NONE = -1;
    private static final byte[] NO_BYTES = new byte[0];

    static final Response FAILED =
            Response.status(500).contentType("text/plain; charset=utf-8")
                    .body("The application failed to answer this request.\n").close().build();

    private enum Stage { OPEN, HELD, PIPED, ENDED }

    private final HttpContext context;
    private final EarlyAnswer early;
    private final FailureLog failures;
    private final URI uri;
    private final String methodName;
    private final boolean isHead;
    private final String protocol;
    private final InetSocketAddress remote;
    private final InetSocketAddress local;
    private final Headers responseFields = new Headers();
    private final ReentrantLock lock = new ReentrantLock();
    /**
     * The lane's until the answer is given or the handler has returned; then a copy, or null where
     * fields and body are kept apart from it.
     */
    private Request request;
    private Headers requestFields;
    private InputStream input;
    private OutputStream output;
    private Map<String, Object> attributes;
    private HttpPrincipal principal;

    private volatile int code = -1;
    private Stage stage = Stage.OPEN;
    private Response.Builder head;
    /** Of the body, as it was announced; {@link #AS_MANY} where it is not. */
    private long length;
    /** The answer to HEAD: what is written goes nowhere. */
    private boolean swallows;
    private byte[] held = NO_BYTES;
    private int heldCount;
    private long written;
    private AnswerPipe pipe;
    /** Whether a write is under way, in the pipe: closed by another thread, the body has a hole. */
    private boolean writing;
    /** Whether the answer is on its way. */
    private boolean given;
    /** Whether the handler has returned: {@code early} is nobody's any more. */
    private boolean returned;
    /** Gives the answer behind the handler's return, or null. */
    private Deferred deferred;
    /** Nobody waits for the answer any more. */
    private boolean gone;

    /** @param uri the request's target, which could be read as one */
    HostExchange(HttpContext context, Request request, URI uri, EarlyAnswer early,
            FailureLog failures) {
        this.context = context;
        this.request = request;
        this.uri = uri;
        methodName = request.methodName();
        isHead = request.method() == Method.HEAD;
        protocol = "HTTP/1." + request.versionMinor();
        remote = request.remote();
        local = request.local();
        this.early = early;
        this.failures = failures;
    }

    // --- the request

    @Override
    public Headers getRequestHeaders() {
        lock.lock();
        try {
            if (requestFields == null) {
                requestFields = new RequestFields(request);
            }
            return requestFields;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public URI getRequestURI() {
        return uri;
    }

    @Override
    public String getRequestMethod() {
        return methodName;
    }

    @Override
    public String getProtocol() {
        return protocol;
    }

    @Override
    public HttpContext getHttpContext() {
        return context;
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return remote;
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return local;
    }

    @Override
    public InputStream getRequestBody() {
        lock.lock();
        try {
            if (input == null) {
                input = new RequestStream(request.bodyLength() == 0 ? NO_BYTES : request.body());
            }
            return input;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public HttpPrincipal getPrincipal() {
        return principal;
    }

    void principal(HttpPrincipal known) {
        principal = known;
    }

    /** The exchange's own, or else its context's of that name. */
    @Override
    public Object getAttribute(String name) {
        Objects.requireNonNull(name, "an attribute has a name");
        lock.lock();
        try {
            if (attributes != null && attributes.containsKey(name)) {
                return attributes.get(name);
            }
        } finally {
            lock.unlock();
        }
        return context.getAttributes().get(name);
    }

    @Override
    public void setAttribute(String name, Object value) {
        Objects.requireNonNull(name, "an attribute has a name");
        lock.lock();
        try {
            if (attributes == null) {
                attributes = new HashMap<>();
            }
            attributes.put(name, value);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setStreams(InputStream filteredInput, OutputStream filteredOutput) {
        lock.lock();
        try {
            if (filteredInput != null) {
                input = filteredInput;
            }
            if (filteredOutput != null) {
                output = filteredOutput;
            }
        } finally {
            lock.unlock();
        }
    }

    // --- the answer's head

    @Override
    public Headers getResponseHeaders() {
        return responseFields;
    }

    @Override
    public int getResponseCode() {
        return code;
    }

    @Override
    public OutputStream getResponseBody() {
        lock.lock();
        try {
            if (output == null) {
                output = new ResponseStream(this);
            }
            return output;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The head of the answer. An interim one (1xx) is the host's own and left out.
     *
     * @param wanted bytes of the body; 0 as many as come, −1 none
     */
    @Override
    public void sendResponseHeaders(int status, long wanted) throws IOException {
        lock.lock();
        try {
            checkWaitedFor();
            if (stage != Stage.OPEN) {
                throw new IOException("headers already sent");
            }
            if (status == 101) {
                throw new IOException("status 101: no other protocol is spoken here");
            }
            if (status >= 100 && status < 200) {
                return;
            }
            head = AnswerHead.of(status, responseFields);
            code = status;
            stage = Stage.HELD;
            length = Math.max(NONE, wanted);
            swallows = isHead;
            if (swallows) {
                stage = Stage.ENDED;
                give(AnswerHead.ofHead(head, responseFields, length));
            } else if (length == NONE || status == 204 || status == 304) {
                length = NONE;
                stage = Stage.ENDED;
                give(head.build());
            } else if (length > 0) {
                held = new byte[(int) Math.min(length, HELD_BYTES_MAX)];
            }
        } finally {
            lock.unlock();
        }
    }

    private void checkWaitedFor() throws IOException {
        if (gone) {
            throw new IOException("the connection has ended");
        }
    }

    // --- the answer's body

    void write(byte[] bytes, int offset, int count) throws IOException {
        AnswerPipe open;
        lock.lock();
        try {
            if (swallows) {
                return;
            }
            checkWritable();
            if (length > 0 && count > length - written) {
                throw new IOException("the body was to have " + length + " bytes, and " + written
                        + " of them are followed by " + count);
            }
            if (count == 0) {
                return;
            }
            written += count;
            if (pipe == null && heldCount + count <= HELD_BYTES_MAX) {
                hold(bytes, offset, count);
                return;
            }
            open = openPipe();
            writing = true;
        } finally {
            lock.unlock();
        }
        boolean isIn = false;
        try {
            // It may wait in there, and must be closed by others meanwhile.
            open.write(bytes, offset, count);
            isIn = true;
        } finally {
            noteWritten(isIn);
        }
    }

    private void checkWritable() throws IOException {
        if (stage == Stage.OPEN) {
            throw new IOException("response headers not sent yet");
        }
        checkWaitedFor();
        if (stage == Stage.ENDED) {
            throw new IOException(length == NONE ? "this answer has no body" : length > 0
                    && written == length ? "the body has its " + length + " bytes"
                    : "the exchange is closed");
        }
    }

    private void hold(byte[] bytes, int offset, int count) {
        if (heldCount + count > held.length) {
            held = Arrays.copyOf(held, Math.min(HELD_BYTES_MAX,
                    Math.max(Math.max(2 * held.length, HELD_BYTES_FIRST), heldCount + count)));
        }
        System.arraycopy(bytes, offset, held, heldCount, count);
        heldCount += count;
        if (written == length) {
            endHeld(null);
        }
    }

    /** From here on the body goes out as it is written. */
    private AnswerPipe openPipe() {
        if (pipe == null) {
            stage = Stage.PIPED;
            pipe = new AnswerPipe(held, heldCount, length == AS_MANY ? -1 : length,
                    new PipeOutcome());
            held = NO_BYTES;
            give(head.chunks(pipe, length == AS_MANY ? -1 : length).build());
        }
        return pipe;
    }

    /** A body of announced length ends with its last byte. */
    private void noteWritten(boolean isIn) {
        lock.lock();
        try {
            writing = false;
            if (isIn && written == length) {
                stage = Stage.ENDED;
            }
        } finally {
            lock.unlock();
        }
    }

    /** What was written goes out, and what comes next waits for it. */
    void flushBody() throws IOException {
        lock.lock();
        try {
            if (stage == Stage.OPEN) {
                throw new IOException("response headers not sent yet");
            }
            if (stage == Stage.HELD) {
                checkWaitedFor();
                openPipe();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The body is to be whole now. */
    void closeBody() throws IOException {
        getRequestBody().close();
        lock.lock();
        try {
            if (stage == Stage.OPEN) {
                throw new IOException("response headers not sent yet");
            }
            if (stage == Stage.ENDED) {
                return;
            }
            IOException missing = missing();
            end(missing);
            if (missing != null) {
                throw missing;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Why the body is not whole where it ends now, or null. */
    private IOException missing() {
        if (length > 0 && written < length) {
            return new IOException("the body was closed behind " + written + " of its " + length
                    + " bytes");
        }
        return writing ? new IOException("the body was closed in the middle of a write") : null;
    }

    /** @param failure why the body is not whole, or null */
    private void end(Exception failure) {
        if (stage == Stage.HELD) {
            endHeld(failure);
            return;
        }
        stage = Stage.ENDED;
        if (failure == null) {
            pipe.end();
        } else {
            pipe.fail(failure);
        }
    }

    private void endHeld(Exception failure) {
        stage = Stage.ENDED;
        if (failure == null && length > 0) {
            give(head.body(held, 0, heldCount).build());
        } else {
            give(head.chunks(new HeldAnswer(held, heldCount, failure),
                    length == AS_MANY ? -1 : length).build());
        }
        held = NO_BYTES;
    }

    /** Ends both streams, and the connection where no head was sent. Any number of times. */
    @Override
    public void close() {
        OutputStream body = getResponseBody();
        lock.lock();
        try {
            if (stage == Stage.OPEN) {
                stage = Stage.ENDED;
                tellUnlessGone("the exchange was closed before its headers were sent");
                give(FAILED);
            }
        } finally {
            lock.unlock();
        }
        try {
            getRequestBody().close();
            body.close();
        } catch (IOException told) {
            // Whatever hinders the body's end has cut the answer.
            cut(told);
        }
    }

    private void cut(Exception failure) {
        lock.lock();
        try {
            if (stage == Stage.HELD || stage == Stage.PIPED) {
                end(failure);
            }
        } finally {
            lock.unlock();
        }
    }

    // --- the answer's way to the loop

    /** Early or by the deferral; where the handler returned in between, it takes it along. */
    private void give(Response answer) {
        given = true;
        if (!returned) {
            keepRequest();
            early.give(answer);
        } else if (!deferred.complete(answer)) {
            gone = true;
            if (pipe != null) {
                pipe.shut();
            }
        }
    }

    /** The lane's request is the loop's again; a large body that was asked for is kept as it was read. */
    private void keepRequest() {
        if (input == null || request.bodyLength() < LARGE_BODY_BYTES) {
            request = request.copy();
        } else {
            getRequestHeaders();
            request = null;
        }
    }

    /**
     * The handler has returned.
     *
     * @return what the lane is to answer; null where that is under way
     */
    Response onReturned() {
        lock.lock();
        try {
            if (stage == Stage.HELD) {
                // Its head was said to be on its way, and other threads write the rest.
                openPipe();
            }
            returned = true;
            if (given) {
                return null;
            }
            keepRequest();
            Response later = Response.deferred();
            deferred = later.deferral();
            deferred.whenGone(this::onGone);
            return later;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The handler has thrown: its answer is cut where it has begun.
     *
     * @return what the lane is to answer; null where that is under way
     */
    Response onThrown(Throwable thrown) {
        lock.lock();
        try {
            returned = true;
            if (stage == Stage.PIPED && !gone) {
                // Who sends it tells of it, as of any body that fails.
                end(thrown instanceof Exception exception ? exception
                        : new IllegalStateException(thrown));
                return null;
            }
            // Behind its client's going a broken write is nobody's fault; what else it throws is.
            if (!gone || !(thrown instanceof IOException)) {
                failures.tell(where(), thrown);
            }
            if (given) {
                return null;
            }
            gone = true;
            stage = Stage.ENDED;
            keepRequest();
            return FAILED;
        } finally {
            lock.unlock();
        }
    }

    /** On the loop: nobody waits any more, and nothing was given. */
    private void onGone() {
        lock.lock();
        try {
            gone = true;
        } finally {
            lock.unlock();
        }
        failures.tell(where(), UnclosedExchangeException.unanswered());
    }

    /** On the loop: the connection is over in the middle of the body. */
    private final class PipeOutcome implements AnswerPipe.Outcome {
        @Override
        public void onAbandoned(boolean writing) {
            boolean unclosed;
            lock.lock();
            try {
                gone = true;
                unclosed = returned && !writing;
            } finally {
                lock.unlock();
            }
            if (unclosed) {
                failures.tell(where(), UnclosedExchangeException.unfinished());
            }
        }

        @Override
        public void onFailureUntold(Exception failure) {
            failures.tell(where(), failure);
        }
    }

    private void tellUnlessGone(String what) {
        if (!gone) {
            failures.tell(where(), new IOException(what));
        }
    }

    private String where() {
        return methodName + ' ' + uri.getRawPath();
    }
}
