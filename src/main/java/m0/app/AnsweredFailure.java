package m0.app;

import m0.http.Body;
import m0.http.Response;

/**
 * A failure whose thrower knows what the client is to be told.
 *
 * <p>Thrown by {@code beforeRequest} or {@code handle} it is what any throw is there: its cause is
 * logged once with method and path, nothing pipelined behind it is run, the connection ends. Only
 * the bytes are the thrower's: {@link #answer()} goes out in the place of the host's own 500, on
 * the loop and on a lane alike.
 *
 * <p>Threads: any.
 */
public final class AnsweredFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Response answer;

    /**
     * @param answer has a status of 500 or above and its body in memory, if any; it closes
     * @param cause what failed
     * @throws IllegalArgumentException for an answer that is none to a failure, or is still to come
     */
    public AnsweredFailure(Response answer, Exception cause) {
        super(null, cause, false, false);
        if (answer.status() < 500
                || !(answer.body() instanceof Body.Bytes || answer.body() instanceof Body.None)) {
            throw new IllegalArgumentException("an answer to a failure has a status of 500 or above"
                    + " and its body in memory, and not " + answer.status() + " and "
                    + answer.body().getClass().getSimpleName());
        }
        this.answer = answer.close() ? answer : answer.toBuilder().close().build();
    }

    public Response answer() {
        return answer;
    }
}
