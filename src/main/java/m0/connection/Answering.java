package m0.connection;

import m0.app.AnsweredFailure;
import m0.http.Body;
import m0.http.Deferred;
import m0.http.Response;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.RequestHead;
import m0.pool.Job;
import m0.pool.Placement;

/**
 * Has a connection's requests answered: by the application here and now, by a lane, or by whoever
 * completes a deferred answer.
 *
 * <p>What is answered elsewhere waits in the slot's {@link Pending}, and nothing behind it is
 * answered before it. When it comes back, what was kept is opened first, then the answer is given,
 * then what was kept is served: so the answer knows whether more follows, and goes out with what
 * stands behind it.
 * <pre>
 *   answer ──► here ─────────────────────────────────────────────────► given
 *     │                                                                  ▲
 *     ├──► submitted ──► out ──► returned ── answers before it stuck ────┤
 *     │                                │          (back, until they left)│
 *     └──► deferred ◄── deferred there ┘                                 │
 *              └──► completed, or its deadline has come ─────────────────┘
 * </pre>
 * A connection that goes while its job is out leaves the slot behind as an orphan: it is nobody
 * else's before the job is back.
 *
 * <p>Threads: the loop's. Owns: the request that waits, with its bytes. Errors: what the application
 * throws is told and answered with 500; an {@code Error} of a lane is thrown on.
 */
final class Answering {
    static final Response FAILED =
            Response.status(500).contentType("text/plain; charset=utf-8")
                    .body("The application failed to answer this request.\n").close().build();
    private static final Response NOT_RUN = Response.status(503).header("Retry-After", "1")
            .contentType("text/plain; charset=utf-8")
            .body("The server has more such requests than it can answer now.\n").build();
    private static final Response NOT_RUN_LAST = NOT_RUN.toBuilder().close().build();
    private static final Response NOT_GIVEN = Response.text(503,
            "The answer to this request was not given in time.\n");
    private static final Response NO_STREAM = Response.status(409)
            .contentType("text/plain; charset=utf-8")
            .body("A stream can only be opened on the loop.\n").close().build();
    private static final Response SERVER_OPTIONS = Response.status(204)
            .header("Allow", "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS").build();

    private final Connections table;
    private final Workbench bench;
    private final Connection connection;
    /** While a request's answer is given elsewhere, and until that has come back; else null. */
    private Pending pending;

    Answering(Connections table, Workbench bench, Connection connection) {
        this.table = table;
        this.bench = bench;
        this.connection = connection;
    }

    /** Whether something is out: what stands behind it waits. */
    boolean isEngaged() {
        return pending != null;
    }

    /** Whether a request waits for an answer from elsewhere. */
    boolean isAwaited() {
        return pending != null && pending.request != null;
    }

    /** Whether that answer is deferred, and no lane's. */
    boolean isDeferred() {
        return pending.deferred != null;
    }

    /** Whether it has come back, and waited for the answers before it to leave. */
    boolean hasReturned() {
        return pending != null && pending.back;
    }

    /** Something may have come beside it: the answer looks whether that is a FIN. */
    void noteInput() {
        if (pending != null) {
            pending.looksForEnd = true;
        }
    }

    /** Has the request answered, here and now or by a lane. */
    void answer(RequestHead head) {
        head.attachAddresses(connection.remote, connection.local);
        long startedNs = connection.receiver.startedNs();
        connection.receiver.restart();
        bench.asked = head;
        Response response = dispatch(head);
        bench.asked = null;
        if (response == null) {
            submit(head, startedNs);
        } else if (response.body() instanceof Body.Later later) {
            if (!tryHold(head, startedNs)) {
                drop(response, head);
            } else if (!tryDefer(later.deferred())) {
                givePending(FAILED);
            }
        } else {
            connection.give(response, head, startedNs);
        }
    }

    /** The application's answer or the one that is given in its place; null: a lane's turn. */
    private Response dispatch(RequestHead request) {
        if (request.isServerWideOptions()) {
            return SERVER_OPTIONS;
        }
        Response response;
        try {
            response = bench.handler.beforeRequest(request);
            if (response == null) {
                bench.lane = bench.lanes.placement().lane(request);
                if (bench.lane != Placement.LOOP) {
                    return null;
                }
                response = bench.handler.handle(request);
            }
            if (response == null) {
                throw new IllegalStateException("the handler returned no response");
            }
        } catch (Exception failure) {
            return failed(request, failure);
        }
        return response.body() instanceof Body.Later ? response : seen(request, response);
    }

    /** Tells of what the application threw; what is answered in the place of an answer. */
    private Response failed(RequestHead request, Throwable failure) {
        if (failure instanceof AnsweredFailure answered) {
            bench.observer.onApplicationFailure(bench.loop, request, answered.getCause());
            return answered.answer();
        }
        bench.observer.onApplicationFailure(bench.loop, request, failure);
        return FAILED;
    }

    /** What the application makes of an answer before it is written. */
    private Response seen(RequestHead request, Response response) {
        Response answer = FAILED;
        try {
            answer = bench.handler.afterResponse(request, response);
            if (answer == null) {
                throw new IllegalStateException("afterResponse returned no response");
            }
            if (answer.body() instanceof Body.Later) {
                throw new IllegalStateException("afterResponse cannot defer an answer");
            }
        } catch (Exception failure) {
            answer = FAILED;
            bench.observer.onApplicationFailure(bench.loop, request, failure);
        }
        if (response.body() != answer.body() && response.body() instanceof Body.Chunks unused) {
            connection.sender.dropChunks(unused.source(), AnswerWriter.what(request));
        }
        return answer;
    }

    /** Moves the request to bytes of its own, since it waits; false if memory does not allow it. */
    private boolean tryHold(RequestHead head, long startedNs) {
        Inbound request = connection.receiver.detach(head);
        request.startedNs = startedNs;
        request.head.attachAddresses(connection.remote, connection.local);
        if (!bench.holds(request)) {
            connection.refuse(ProtocolViolation.MEMORY_SHORT, request.head);
            bench.giveBack(request);
            return false;
        }
        pending = table.pending(connection.slot());
        pending.begin(request, bench.mayLookForEnd || connection.waitsForLane());
        return true;
    }

    private void submit(RequestHead head, long startedNs) {
        if (!tryHold(head, startedNs)) {
            return;
        }
        pending.out = bench.lanes.lanes().get(bench.lane).trySubmit(pending.job);
        if (!pending.out) {
            bench.observer.onLaneRefused(bench.loop);
            givePending(NOT_RUN);
        }
    }

    /** Waits for that answer; false, which is told, where another request does. */
    private boolean tryDefer(Deferred deferred) {
        if (pending.await(deferred)) {
            return true;
        }
        bench.observer.onApplicationFailure(bench.loop, pending.request.head,
                new IllegalStateException("a deferred answer belongs to one request alone"));
        return false;
    }

    /** The job has come back from where it was sent. */
    void onReturn() {
        pending.out = false;
        pending.job.home();
        if (pending.job.failure() instanceof Error fatal) {
            // The lane is a thread short and nobody replaces it, so it ends as an error here would.
            if (pending.request != null) {
                bench.asked = pending.request.head;
            }
            bench.askedThread = pending.job.thread();
            throw fatal;
        }
        if (connection.isClosed()) {
            dropPending();
            table.releaseOrphan(connection);
        } else if (pending.request == null) {
            pending = null;
        } else if (connection.sender.isStuck()) {
            pending.back = true;
        } else {
            giveReturned();
        }
    }

    /** Answers the request that was waited for, then those behind it. */
    void giveReturned() {
        bench.asked = pending.request.head;
        Response response = returned();
        bench.asked = null;
        if (!(response.body() instanceof Body.Later later)) {
            giveInstead(response);
        } else if (tryDefer(later.deferred())) {
            connection.settle();
        } else {
            giveInstead(FAILED);
        }
    }

    /** What is waited for comes no more, or too late. */
    private void giveInstead(Response response) {
        connection.receiver.openKept();
        givePending(response);
        connection.receiver.serveKept();
        connection.settle();
    }

    /** The answer that has come back, or the one that is given in its place. */
    private Response returned() {
        Job job = pending.job;
        RequestHead request = pending.request.head;
        Response response = job.response();
        if (pending.deferred != null) {
            return seen(request, response);
        }
        if (job.failure() != null) {
            return failed(request, job.failure());
        }
        if (response == null) {
            bench.observer.onLaneRefused(bench.loop);
            return NOT_RUN;
        }
        if (response.body() instanceof Body.Events || response.body() instanceof Body.WebSocket) {
            bench.observer.onStreamRefused(bench.loop, job.thread(), request);
            return NO_STREAM;
        }
        return response;
    }

    /** Answers the request that was waited for, which is over with it. */
    private void givePending(Response response) {
        Pending answered = pending;
        Inbound request = answered.end();
        if (!answered.out) {
            pending = null;
        }
        bench.mayLookForEnd = answered.looksForEnd;
        bench.answeredBy = answered.job;
        connection.give(response, request.head, request.startedNs);
        bench.answeredBy = null;
        bench.giveBack(request);
    }

    /** Nobody gets the answer. */
    private void dropPending() {
        Deferred awaited = pending.deferred;
        Inbound request = pending.end();
        if (request != null) {
            if (awaited != null) {
                tellGone(awaited, request.head);
            }
            drop(pending.job.response(), request.head);
            bench.giveBack(request);
        }
        pending = null;
    }

    /** Ends what an answer brought that nobody gets; null for none. */
    private void drop(Response unused, RequestHead request) {
        if (unused == null) {
            return;
        }
        if (unused.body() instanceof Body.Chunks chunks) {
            connection.sender.dropChunks(chunks.source(), AnswerWriter.what(request));
        } else if (unused.body() instanceof Body.Later later) {
            drop(later.deferred().forgo(), request);
            tellGone(later.deferred(), request);
        }
    }

    /** Tells who was to give an answer that nobody waits for it any more. */
    private void tellGone(Deferred deferred, RequestHead request) {
        try {
            deferred.tellGone();
        } catch (Exception failure) {
            bench.observer.onHookFailure(bench.loop, "whenGone of " + request.methodName() + ' '
                    + request.rawPath(), failure);
        }
    }

    /** No thread of the lane takes it: the job stays in the queue, and so the slot with it. */
    void recall() {
        long deadlineNs = bench.config.laneDeadlineNs();
        if (deadlineNs > 0 && pending.job.queuedForNs(bench.nowNs) > deadlineNs
                && pending.job.tryRecall()) {
            bench.observer.onLaneRefused(bench.loop);
            giveInstead(NOT_RUN_LAST);
        }
    }

    /**
     * The deadline of a deferred answer has come.
     *
     * @return false if the answer is on its way
     */
    boolean tryExpire() {
        if (!pending.deferred.abandon()) {
            return false;
        }
        tellGone(pending.deferred, pending.request.head);
        giveInstead(NOT_GIVEN);
        return true;
    }

    /**
     * The connection has gone.
     *
     * @return whether its slot is not free before what is out has come back
     */
    boolean abandon() {
        if (pending == null) {
            return false;
        }
        pending.abandon();
        if (pending.out) {
            table.noteOrphan();
            return true;
        }
        dropPending();
        return false;
    }
}
