package m0.pool;

/** Makes the handlers of a lane: each on the thread that will use it. */
public interface JobHandlers {
    /**
     * Makes one.
     *
     * @param thread the index of the pool thread within its lane, from 0
     */
    JobHandler make(int thread) throws Exception;
}
