package m0.pool;

import m0.http.Response;

/**
 * Gives the answer to a job before its handler returns, so that the client is answered while the
 * thread goes on.
 *
 * <p>Threads: the one whose {@link JobHandler#answer} was given it; or another that it leaves this
 * to, if the two see to it, by a lock say, that the call is over before that returns: behind the
 * return it would answer a stranger's request, since one object serves all jobs of a pool thread.
 * Errors: misuse throws {@code IllegalStateException}, and what was to be given stays the caller's.
 */
public interface EarlyAnswer {
    /**
     * Gives the answer, once. It goes to the loop at once, and the job with it: the request, and
     * whatever was read from it without copying, is not valid any more.
     *
     * @param response any but a deferred one; what it brings, a source of chunks say, is the host's
     */
    void give(Response response);
}
