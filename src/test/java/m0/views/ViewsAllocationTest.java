package m0.views;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

/** A literal route costs its view and nothing else. */
class ViewsAllocationTest {
    private final Toy toy = new Toy();
    private final Views<Toy, Toy> views = new Views<Toy, Toy>()
            .addRead("deep", Method.GET, "/some/way/down", Toy.says("lane"))
            .addRead("any", Method.GET, "/some/{any}/else", Toy.says("any"))
            .addReadOnLoop("loop", Method.GET, "/some/loop", Toy.says("loop"));
    private final Mount at = views.mount("/x");

    /** Asks as a host does that has no lane: first the loop, then whoever dispatches. */
    private int askMany(Request request) {
        int status = 0;
        for (int count = 0; count < 20_000; count++) {
            Response answer = views.answerOnLoop(at, request, toy);
            status = (answer == null ? views.dispatch(at, request, toy) : answer).status();
        }
        return status;
    }

    private void assertNothingIsAllocated(String target) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        Request request = Requests.get(target);
        assertEquals(200, askMany(request));
        // The JVM itself allocates now and then on a thread: a round without is what is asked for.
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10 && least > 0; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            askMany(request);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes allocated for " + target);
    }

    @Test
    void aLiteralRouteAllocatesNothing() {
        assertNothingIsAllocated("/x/some/way/down");
    }

    @Test
    void anEscapedLiteralAllocatesNothing() {
        assertNothingIsAllocated("/x/%73ome/way/d%6Fwn?q=1");
    }

    @Test
    void aRouteOfTheLoopAllocatesNothing() {
        assertNothingIsAllocated("/x/some/loop");
    }
}
