package m0.connection;

import java.net.InetSocketAddress;
import java.util.Arrays;
import m0.bytes.Span;
import m0.http.parse.RequestHead;

/**
 * One answered or refused request, for the access log.
 *
 * <p>Threads: the loop's, during the observer's call; it is reused afterwards. The spans hold a
 * peer's bytes: whoever prints them escapes them.
 */
public final class ExchangeRecord {
    /** What the record tells of. */
    public enum Event {
        /** The application's answer. */
        RESPONSE,
        /** The host refused by itself. */
        REFUSED,
        /** A stream has its head. */
        STREAM_OPEN,
        /** A stream has ended; bytes and duration are those of all of it. */
        STREAM_CLOSE
    }

    private static final byte[] NOTHING = new byte[0];

    Event event = Event.RESPONSE;
    InetSocketAddress remote;
    final Span method = new Span();
    final Span target = new Span();
    int versionMinor = -1;
    int status;
    long bytes;
    long durationNs;
    long waitNs;
    int loop;
    int thread = -1;

    /** Takes method, target and version from a head, as far as they were read. */
    void takeRequestLine(RequestHead head) {
        if (head.targetKnown()) {
            head.methodSpan(method);
            head.targetSpan(target);
            versionMinor = head.versionMinor();
        } else {
            method.set(NOTHING, 0, 0);
            target.set(NOTHING, 0, 0);
            versionMinor = -1;
        }
    }

    /** A record of its own bytes, for an answer that outlasts its request. */
    ExchangeRecord copy() {
        ExchangeRecord copy = new ExchangeRecord();
        copy.event = event;
        copy.remote = remote;
        copySpan(method, copy.method);
        copySpan(target, copy.target);
        copy.versionMinor = versionMinor;
        copy.status = status;
        copy.bytes = bytes;
        copy.durationNs = durationNs;
        copy.waitNs = waitNs;
        copy.loop = loop;
        copy.thread = thread;
        return copy;
    }

    private static void copySpan(Span from, Span to) {
        int end = from.offset() + from.length();
        to.set(Arrays.copyOfRange(from.array(), from.offset(), end), 0, from.length());
    }

    public Event event() {
        return event;
    }

    public InetSocketAddress remote() {
        return remote;
    }

    /** The method's token; empty where the request line was not read. */
    public Span method() {
        return method;
    }

    /** The target as it was sent; empty where the request line was not read. */
    public Span target() {
        return target;
    }

    /** The {@code N} of {@code HTTP/1.N}, or −1 where the request line was not read. */
    public int versionMinor() {
        return versionMinor;
    }

    public int status() {
        return status;
    }

    /** Bytes of the body that were sent. */
    public long bytes() {
        return bytes;
    }

    /** Nanoseconds from the request's first byte to the answer's first write. */
    public long durationNs() {
        return durationNs;
    }

    /** Nanoseconds it waited for a lane's thread; 0 on the loop. */
    public long waitNs() {
        return waitNs;
    }

    public int loop() {
        return loop;
    }

    /** The pool thread that answered, or −1 for the loop. */
    public int thread() {
        return thread;
    }
}
