package m0.http.write;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import m0.http.HttpDate;
import m0.http.Response;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What does a response's head cost, where it was built once and where it is built each time? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ResponseHeadBenchmark {
    private static final long EPOCH_MS = 1_767_225_600_000L;

    private final ByteBuffer out = ByteBuffer.allocate(4096);
    private final HttpDate date = new HttpDate();
    private final Response constant = Response.text(200, "ok");

    @Benchmark
    public int constant() {
        return write(constant);
    }

    @Benchmark
    public int builtEachTime() {
        return write(Response.text(200, "ok"));
    }

    private int write(Response response) {
        out.clear();
        ResponseHead.write(out, response, date.line(EPOCH_MS), ResponseHead.NO_LINES, false, false);
        return out.position();
    }
}
