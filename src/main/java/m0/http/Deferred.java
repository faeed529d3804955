package m0.http;

/**
 * An answer that is given later, by any thread: see {@link Response#deferred()}.
 *
 * <p>Threads: any. Limits: {@code M0_DEFERRED_DEADLINE_MS}, after which the client gets 503 and
 * {@link #complete} returns false.
 */
public interface Deferred {
    /**
     * Gives the answer.
     *
     * @param answer any response but a deferred one
     * @return false if it came too late: the client has gone, the deadline has passed, or an answer
     *     was given already
     */
    boolean complete(Response answer);

    /** Whether nobody waits for the answer any more. */
    boolean isGone();
}
