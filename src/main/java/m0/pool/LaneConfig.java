package m0.pool;

/**
 * What a lane is made with.
 *
 * @param loop the index of its loop, from 0
 * @param lane its index among the lanes of that loop, from 0
 * @param threads from 1; a lane whose executor has the threads passes this over
 * @param connectionsMax the connections of the loop, each of which has one job out at most
 * @param waitingMax jobs that may wait beyond those that a free thread takes; 0 for no bound
 * @param deadlineNs how long a job may wait and still be answered; 0 for no bound
 */
public record LaneConfig(int loop, int lane, int threads, int connectionsMax, int waitingMax,
        long deadlineNs) {
    /** The name of one of its threads, as an operator sees it in a stack dump. */
    String threadName(int thread) {
        return "m0-handler-" + loop + (lane == 0 ? "" : "." + lane) + "-" + thread;
    }
}
