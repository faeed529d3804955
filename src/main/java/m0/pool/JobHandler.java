package m0.pool;

import m0.http.Request;
import m0.http.Response;

/** What answers on one pool thread. Threads: that one, but for a lane whose handler is shared. */
public interface JobHandler extends AutoCloseable {
    /**
     * Answers, whatever was registered for the answer included.
     *
     * @param early gives the answer before this returns, once; the request is not valid any more
     *     then, and what is returned is not looked at. What is thrown behind it can change no answer:
     *     the lane's observer is told, and an {@code Error} ends the loop as ever
     */
    Response answer(Request request, EarlyAnswer early) throws Exception;

    /** Called once, after the last answer and before the thread ends. */
    @Override
    default void close() { }
}
