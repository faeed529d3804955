package m0.pool;

import m0.http.Request;

/** Which lane of a loop answers a request. Threads: the loop's. */
public interface Placement {
    /** On the loop. */
    int LOOP = -1;

    /** The index of the lane that answers, or {@link #LOOP}. */
    int lane(Request request);
}
