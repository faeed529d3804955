package host_check;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import m0.app.PageWords;
import m0.http.Deferred;
import m0.http.Request;
import m0.http.Response;

/**
 * Answers that come later, from a thread that is no loop's and no lane's.
 *
 * <p>{@code ms=N} is when: 0 is before the handler has returned, −1 never, and then it is looked at
 * until nobody waits for it any more. {@code times=T} completes it that often.
 *
 * <p>Threads: its handler's, but for what it counts, which is in the page. Owns: one timer thread,
 * from the first answer that needs it to {@link #close}, where what is not due yet is dropped.
 * Limits: an hour, 9 times; 400 beyond.
 */
final class Deferrals {
    static final int MS_MAX = 3_600_000;
    private static final int TIMES_MAX = 9;
    private static final String NEVER = "-1";
    private static final long LOOK_MS = 10;

    private final PageWords page;
    private ScheduledThreadPoolExecutor timer;

    Deferrals(PageWords page) {
        this.page = page;
    }

    Response answer(Request request) {
        int ms = Parameters.number(request, "ms", 0, MS_MAX);
        int times = Parameters.number(request, "times", 1, TIMES_MAX);
        boolean never = NEVER.equals(request.queryParameter("ms"));
        if (ms < 0 && !never || times < 1) {
            return Response.text(400, "ms is " + NEVER + " to " + MS_MAX + ", times 1 to "
                    + TIMES_MAX + "\n");
        }
        Response later = Response.deferred();
        page.add(HostCheck.DEFERRED_WORD, 1);
        if (never) {
            lookUntilGone(later.deferral());
        } else if (ms == 0) {
            complete(later.deferral(), ms, times);
        } else {
            timer().schedule(() -> complete(later.deferral(), ms, times), ms,
                    TimeUnit.MILLISECONDS);
        }
        return later;
    }

    private void complete(Deferred deferred, int ms, int times) {
        if (deferred.isGone()) {
            page.add(HostCheck.GONE_WORD, 1);
        }
        for (int time = 0; time < times; time++) {
            boolean taken = deferred.complete(Response.text(200, "deferred " + ms + "\n"));
            page.add(taken ? HostCheck.TAKEN_WORD : HostCheck.LATE_WORD, 1);
        }
    }

    private void lookUntilGone(Deferred deferred) {
        var look = new Look(deferred);
        look.again = timer().scheduleWithFixedDelay(look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /** Looks again and again. Threads: the timer's, which sees {@code again} once it is set. */
    private final class Look implements Runnable {
        private final Deferred deferred;
        private volatile ScheduledFuture<?> again;
        private boolean told;

        Look(Deferred deferred) {
            this.deferred = deferred;
        }

        @Override
        public void run() {
            if (!told && deferred.isGone()) {
                told = true;
                page.add(HostCheck.GONE_WORD, 1);
            }
            if (told && again != null) {
                again.cancel(false);
            }
        }
    }

    private ScheduledThreadPoolExecutor timer() {
        if (timer == null) {
            timer = new ScheduledThreadPoolExecutor(1, task -> {
                var thread = new Thread(task, "host_check-deferred");
                thread.setDaemon(true);
                return thread;
            });
            timer.setRemoveOnCancelPolicy(true);
        }
        return timer;
    }

    /** What became of all of them. */
    Response told() {
        return Response.status(200)
                .contentType("application/json")
                .body("{\"deferred\":" + page.get(HostCheck.DEFERRED_WORD)
                        + ",\"taken\":" + page.get(HostCheck.TAKEN_WORD)
                        + ",\"late\":" + page.get(HostCheck.LATE_WORD)
                        + ",\"gone\":" + page.get(HostCheck.GONE_WORD) + "}\n")
                .build();
    }

    void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
