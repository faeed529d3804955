package m0.connection;

import m0.http.Request;
import m0.http.parse.ProtocolViolation;

/**
 * What a loop's connections tell about requests and streams; what is only counted need not be heard.
 *
 * <p>Threads: that loop's; it must not block.
 */
public interface ExchangeObserver {
    /** Whether {@link #onExchange} is wanted; asked once, when the loop is built. */
    boolean wantsExchanges();

    /** An answer has been sent, or was cut short; called only where wanted. */
    void onExchange(ExchangeRecord record);

    /** The application threw while it answered {@code request}. */
    void onApplicationFailure(int loop, Request request, Throwable failure);

    /**
     * The application threw in a hook, or in a source of chunks.
     *
     * @param where which it was, in words for a log
     */
    void onHookFailure(int loop, String where, Throwable failure);

    /** A limit that a setting sets has refused a request; said once per loop and violation. */
    void onLimit(int loop, ProtocolViolation violation);

    /** A peer has broken a rule of HTTP, or met a limit; told each time. */
    default void onViolation(int loop, ProtocolViolation violation) { }

    /**
     * A WebSocket's peer has broken a rule.
     *
     * @param kind the name of a {@code FrameViolation}, as its {@code kind()} has it
     */
    default void onFrameViolation(int loop, String kind) { }

    /** A stream's outbox had no room for a frame of the bus. */
    default void onFrameDropped(int loop) { }

    /** A request was not run: too many waited for the lane, or it waited too long itself. */
    default void onLaneRefused(int loop) { }

    /**
     * A pool thread has answered with a stream, which was refused.
     *
     * @param thread the pool thread's index
     */
    void onStreamRefused(int loop, int thread, Request request);

    /** So many connections more wait for a next request, or fewer. */
    default void onIdle(int loop, int change) { }
}
