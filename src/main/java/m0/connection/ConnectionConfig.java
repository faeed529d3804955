package m0.connection;

import m0.http.Limits;

/**
 * How connections behave; times in nanoseconds, 0 for none.
 *
 * @param connectionsMax connections of one loop at once
 * @param keepaliveRequestsMax requests of one connection, 0 for any number
 * @param headerTimeoutNs from a request's first byte (or from accept) to the end of its head
 * @param bodyTimeoutNs from the end of the head to the end of the body
 * @param bodyRate bytes of body that buy one more second; 0: none do
 * @param idleTimeoutNs between an answer and the next request's first byte
 * @param sendTimeoutNs without progress of an answer
 * @param heldBytesMax memory of one loop for requests that are incomplete and answers that are
 *     stuck; beyond it the next one that wants more is refused (503) or cut
 * @param tickNs between two ticks of a handler that names no interval itself
 * @param laneDeadlineNs the longest wait for a lane's thread; 503 beyond
 * @param deferredTimeoutNs the longest wait for an answer that was deferred; 503 beyond
 */
public record ConnectionConfig(Limits limits, int connectionsMax, int keepaliveRequestsMax,
        long headerTimeoutNs, long bodyTimeoutNs, int bodyRate, long idleTimeoutNs,
        long sendTimeoutNs, long heldBytesMax, long tickNs, long laneDeadlineNs,
        long deferredTimeoutNs, StreamConfig streams) {
    /** The settings' defaults, with room for 64 of the largest bodies. */
    public static final ConnectionConfig DEFAULT = new ConnectionConfig(Limits.DEFAULT, 16_384,
            1000, 10_000_000_000L, 30_000_000_000L, 500, 75_000_000_000L, 60_000_000_000L,
            256L * 1024 * 1024, 0, 0, 30_000_000_000L, StreamConfig.DEFAULT);
}
