package m0.views;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import m0.http.Limits;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Outcome;
import m0.http.parse.RequestHead;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What does a request pay for its table of routes, and does it pay for their number? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RouteLookUpBenchmark {
    private static final Response ANSWER = Response.text(200, "answer");

    /** Half of them are literal, and half have a place. */
    @Param({"10", "100", "1000"})
    public int routes;

    private final Request literal = request("/x/things/list3/all");
    private final Request place = request("/x/things/group3/42/all");
    private final Request unknown = request("/x/things/list3/none");
    private Views<Object, Object> views;
    private Mount at;

    @Setup
    public void build() {
        views = new Views<>();
        for (int index = 0; index < routes / 2; index++) {
            views.addRead("list" + index, Method.GET, "/things/list" + index + "/all",
                    (state, request, captures) -> ANSWER);
            views.addRead("group" + index, Method.GET, "/things/group" + index + "/{id}/all",
                    (state, request, captures) -> ANSWER);
        }
        at = views.mount("/x");
    }

    private static Request request(String target) {
        byte[] bytes = ("GET " + target + " HTTP/1.1\r\nHost: m0.example\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        RequestHead head = new RequestHead(Limits.DEFAULT);
        head.begin(0);
        if (head.parse(bytes, bytes.length) != Outcome.DONE) {
            throw new IllegalStateException("violation=" + head.violation());
        }
        return head;
    }

    @Benchmark
    public Response literal() {
        return views.dispatch(at, literal, this);
    }

    /** The value of the place is a string, which allocates. */
    @Benchmark
    public Response place() {
        return views.dispatch(at, place, this);
    }

    /** What the loop pays for a request that is the lane's: none of the table's routes is its own. */
    @Benchmark
    public Response laneAskedOnLoop() {
        return views.answerOnLoop(at, literal, this);
    }

    /** A problem document is made for it. */
    @Benchmark
    public Response unknown() {
        return views.dispatch(at, unknown, this);
    }
}
