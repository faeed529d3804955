package pool_spike;

import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.PageWords;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;

/**
 * The routes. Each answer but the page's names who gave it, {@code thread=K loop=L}, where thread −1
 * is the loop itself.
 *
 * <pre>
 * /            a page that says what this is
 * /fast        at once: one answer for ever, which costs no allocation
 * /slow?ms=N   sleeps N ms (400)
 * /busy?n=N    computes N thousand rounds (1000), the same work each time
 * /late?ms=N   sleeps N ms (0) and then says what it was asked, target and body; takes POST too
 * /held?turn=N waits until /release was asked N times (1) on all loops together
 * /release     lets those go on whose turn it is by now; on the loop
 * /loop        as /fast, but on the loop whatever the lanes do
 * /begun       how many of /slow, /busy, /late and /held were begun, on all loops together, and how
 *              often /release was asked; on the loop
 * /stream      an event stream, which only a loop can begin
 * </pre>
 *
 * <p>Threads: any number at once. Limits: sleeps 60 s, 1,000,000 thousand rounds or turns; 400
 * beyond. Who is held for 60 s goes on without its turn.
 */
final class PoolSpikeHandler implements AppHandler {
    static final int SLEEP_MS_MAX = 60_000;
    static final int ROUNDS_MAX = 1_000_000;
    private static final int TURN_MAX = 1_000_000;
    private static final long HELD_LOOK_MS = 2;
    private static final int SLOW_MS_DEFAULT = 400;
    private static final int ROUNDS_DEFAULT = 1000;

    private static final Response PAGE = Response.text(200, """
            pool_spike: what a lane of pool threads is for

            /fast        at once
            /slow?ms=N   sleeps N ms
            /busy?n=N    computes N thousand rounds
            /late?ms=N   sleeps N ms, then says what it was asked
            /held?turn=N waits until /release was asked N times
            /release     lets those go on whose turn it is
            /loop        at once, and never on a pool thread
            /begun       how many of those that take their time were begun
            /stream      an event stream: 409 from a pool thread

            Answers name who gave them: thread=K loop=L, -1 being the loop itself.

            --blocking-threads 0: one /slow holds up every /fast behind it.
            --blocking-threads 4: four may sleep and /fast is as quick as ever; six
            hold it up for about as long as one of them sleeps. /loop waits for nobody.
            """);
    private static final Response NOT_FOUND = Response.text(404, "no such route\n");
    private static final Response METHOD_NOT_ALLOWED =
            Response.status(405).header("Allow", "GET, HEAD").build();
    private static final Response LATE_METHOD_NOT_ALLOWED =
            Response.status(405).header("Allow", "GET, HEAD, POST").build();

    private final PageWords page;
    private final String who;
    private final Response fast;
    private final Response loop;

    PoolSpikeHandler(HostContext context) {
        page = context.page();
        who = "thread=" + context.thread() + " loop=" + context.worker();
        fast = Response.text(200, "fast " + who + "\n");
        loop = Response.text(200, "loop " + who + "\n");
    }

    @Override
    public Response beforeRequest(Request request) {
        if (request.pathIs("/loop")) {
            return isRead(request) ? loop : METHOD_NOT_ALLOWED;
        }
        if (request.pathIs("/release")) {
            return isRead(request) ? release() : METHOD_NOT_ALLOWED;
        }
        if (request.pathIs("/begun")) {
            return isRead(request) ? begun() : METHOD_NOT_ALLOWED;
        }
        return null;
    }

    @Override
    public Response handle(Request request) throws InterruptedException {
        if (request.pathIs("/fast")) {
            return isRead(request) ? fast : METHOD_NOT_ALLOWED;
        }
        return switch (request.path()) {
            case "/" -> isRead(request) ? PAGE : METHOD_NOT_ALLOWED;
            case "/slow" -> isRead(request) ? slow(request) : METHOD_NOT_ALLOWED;
            case "/held" -> isRead(request) ? held(request) : METHOD_NOT_ALLOWED;
            case "/busy" -> isRead(request) ? busy(request) : METHOD_NOT_ALLOWED;
            case "/stream" -> isRead(request) ? stream() : METHOD_NOT_ALLOWED;
            case "/late" -> isRead(request) || request.method() == Method.POST
                    ? late(request) : LATE_METHOD_NOT_ALLOWED;
            default -> NOT_FOUND;
        };
    }

    private Response begun() {
        return Response.text(200, "begun=" + page.get(PoolSpike.BEGUN_WORD) + " released="
                + page.get(PoolSpike.RELEASED_WORD) + "\n");
    }

    private Response release() {
        page.add(PoolSpike.RELEASED_WORD, 1);
        return begun();
    }

    private Response slow(Request request) throws InterruptedException {
        int ms = number(request, "ms", SLOW_MS_DEFAULT, SLEEP_MS_MAX);
        if (ms < 0) {
            return refused("ms", SLEEP_MS_MAX);
        }
        page.add(PoolSpike.BEGUN_WORD, 1);
        Thread.sleep(ms);
        return Response.text(200, "slow " + ms + " " + who + "\n");
    }

    /** Looks again and again: whoever releases it is on another thread, or in another process. */
    private Response held(Request request) throws InterruptedException {
        int turn = number(request, "turn", 1, TURN_MAX);
        if (turn < 0) {
            return refused("turn", TURN_MAX);
        }
        page.add(PoolSpike.BEGUN_WORD, 1);
        long startNs = System.nanoTime();
        while (page.get(PoolSpike.RELEASED_WORD) < turn
                && System.nanoTime() - startNs < SLEEP_MS_MAX * 1_000_000L) {
            Thread.sleep(HELD_LOOK_MS);
        }
        return Response.text(200, "held " + turn + " " + who + "\n");
    }

    private Response busy(Request request) {
        int thousands = number(request, "n", ROUNDS_DEFAULT, ROUNDS_MAX);
        if (thousands < 0) {
            return refused("n", ROUNDS_MAX);
        }
        page.add(PoolSpike.BEGUN_WORD, 1);
        return Response.text(200, "busy " + thousands + " " + Long.toHexString(rounds(thousands))
                + " " + who + "\n");
    }

    /** Rounds that each need the one before, so that nothing but time makes them go by. */
    private static long rounds(int thousands) {
        long state = 0x9e3779b97f4a7c15L;
        for (int thousand = 0; thousand < thousands; thousand++) {
            for (int round = 0; round < 1000; round++) {
                state ^= state << 13;
                state ^= state >>> 7;
                state ^= state << 17;
            }
        }
        return state;
    }

    /** Reads the request behind the sleep: its bytes are this thread's until it has answered. */
    private Response late(Request request) throws InterruptedException {
        int ms = number(request, "ms", 0, SLEEP_MS_MAX);
        if (ms < 0) {
            return refused("ms", SLEEP_MS_MAX);
        }
        page.add(PoolSpike.BEGUN_WORD, 1);
        Thread.sleep(ms);
        return Response.text(200, "late " + who + " " + request.target() + " "
                + new String(request.body(), StandardCharsets.ISO_8859_1) + "\n");
    }

    private static Response stream() {
        return Response.status(200).events("spike", StreamPolicy.LATEST, false, List.of()).build();
    }

    private static boolean isRead(Request request) {
        return request.method() == Method.GET || request.method() == Method.HEAD;
    }

    private static Response refused(String parameter, int max) {
        return Response.text(400, parameter + " is 0 to " + max + "\n");
    }

    /** A parameter from 0 to {@code max}, {@code absent} without one, −1 where it is neither. */
    private static int number(Request request, String name, int absent, int max) {
        String text = request.queryParameter(name);
        if (text == null) {
            return absent;
        }
        try {
            int number = Integer.parseInt(text);
            return number <= max ? number : -1;
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }
}
