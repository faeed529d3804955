package m0.connection;

/**
 * Streams that wait for the same interval each, in the order in which they are due: arming puts one
 * behind all others, so that no heap is needed.
 *
 * <p>Threads: the loop's. A stream is in one queue at a time.
 */
final class DueQueue {
    private final long intervalNs;
    private Stream first;
    private Stream last;

    DueQueue(long intervalNs) {
        this.intervalNs = intervalNs;
    }

    /** Puts a stream, which is in no queue, behind the others. */
    void arm(Stream stream, long nowNs) {
        stream.queue = this;
        stream.dueNs = nowNs + intervalNs;
        stream.earlier = last;
        if (last == null) {
            first = stream;
        } else {
            last.later = stream;
        }
        last = stream;
    }

    void disarm(Stream stream) {
        if (stream.earlier == null) {
            first = stream.later;
        } else {
            stream.earlier.later = stream.later;
        }
        if (stream.later == null) {
            last = stream.earlier;
        } else {
            stream.later.earlier = stream.earlier;
        }
        stream.earlier = null;
        stream.later = null;
        stream.queue = null;
    }

    /** Takes out the stream that is due by now, or returns null. */
    Stream pollDue(long nowNs) {
        Stream due = first;
        if (due == null || nowNs - due.dueNs < 0) {
            return null;
        }
        disarm(due);
        return due;
    }

    /** Nanoseconds until the first one is due, or the longest of times. */
    long untilDueNs(long nowNs) {
        return first == null ? Long.MAX_VALUE : Math.max(0, first.dueNs - nowNs);
    }
}
