package m0.views;

import m0.http.Request;
import m0.http.Response;

/** Answers the requests of one route without any state, and so on any thread. See {@link View}. */
@FunctionalInterface
public interface LoopView extends View<Object> {
    /** Answers; see {@link View#answer}. */
    Response answer(Request request, Captures captures) throws Exception;

    @Override
    default Response answer(Object state, Request request, Captures captures) throws Exception {
        return answer(request, captures);
    }
}
