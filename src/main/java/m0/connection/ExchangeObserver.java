package m0.connection;

import m0.http.Request;
import m0.http.parse.ProtocolViolation;

/** What a loop's connections tell about requests. Threads: that loop's; it must not block. */
public interface ExchangeObserver {
    /** Whether {@link #onExchange} is wanted; asked once, when the loop is built. */
    boolean wantsExchanges();

    /** An answer has been sent, or was cut short; called only where wanted. */
    void onExchange(ExchangeRecord record);

    /** The application threw while it answered {@code request}. */
    void onApplicationFailure(int loop, Request request, Throwable failure);

    /** A limit that a setting sets has refused a request; said once per loop and violation. */
    void onLimit(int loop, ProtocolViolation violation);
}
