package m0.connection;

import m0.bytes.GrowableBytes;
import m0.http.Limits;
import m0.http.parse.ChunkedBody;
import m0.http.parse.RequestHead;

/** What a connection borrows while a request has begun and is not whole. */
final class Inbound extends Held {
    /** Grown arrays larger than this are given back when the request is over. */
    private static final int KEPT_BYTES_MAX = 16 * 1024;

    /** The head's bytes from index 0 and, behind them, a body of known length. */
    final GrowableBytes carry = new GrowableBytes();
    /** A chunked body, decoded. */
    final GrowableBytes decoded = new GrowableBytes();
    final ChunkedBody chunked = new ChunkedBody();
    final RequestHead head;
    /** Whether the carry holds requests that nobody has looked at, since an answer was stuck. */
    boolean unparsed;
    /** Whether the head is whole and its body is arriving. */
    boolean bodyBegun;
    /** When the request's first byte came, and when its body began. */
    long startedNs;
    long bodyStartedNs;
    /** Raw bytes of the body so far. */
    long bodyBytes;

    Inbound(Limits limits) {
        head = new RequestHead(limits);
    }

    @Override
    long capacity() {
        return (long) carry.capacity() + decoded.capacity();
    }

    @Override
    void clear() {
        carry.clear();
        carry.shed(KEPT_BYTES_MAX);
        decoded.clear();
        decoded.shed(KEPT_BYTES_MAX);
        // The head points at arrays that were just given up.
        head.begin(0);
        unparsed = false;
        bodyBegun = false;
        bodyBytes = 0;
    }
}
