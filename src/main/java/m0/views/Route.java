package m0.views;

import m0.http.Method;

/**
 * One row of a table.
 *
 * @param index its place in the order of registration
 */
record Route(int index, Method method, RoutePattern pattern, Placement placement) {
    /** Where its requests are answered. */
    enum Placement {
        /** Where {@code handle} runs: on the lane if there is one. */
        LANE,
        /** On the loop, with the state of the loop's handler. */
        LOOP,
        /** On the loop, without any state. */
        LOOP_STATELESS
    }

    @Override
    public String toString() {
        return method + " " + pattern;
    }
}
