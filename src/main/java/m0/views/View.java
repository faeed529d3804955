package m0.views;

import m0.http.Request;
import m0.http.Response;

/**
 * Answers the requests of one route.
 *
 * <p>It keeps nothing itself, since all threads share it; what lasts is in the state. Errors: a
 * {@link m0.http.ProblemException} is answered as it stands; any other exception is logged, and is
 * a 500 that closes; an {@code Error} is the host's.
 *
 * @param <T> the face of the state that it is shown
 */
@FunctionalInterface
public interface View<T> {
    /**
     * Answers.
     *
     * @param state this handler's
     * @param request valid until the answer is returned
     * @param captures what the path holds in the places that the pattern leaves open
     * @return never null
     */
    Response answer(T state, Request request, Captures captures) throws Exception;
}
