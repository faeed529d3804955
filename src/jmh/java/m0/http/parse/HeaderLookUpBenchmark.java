package m0.http.parse;

import java.util.concurrent.TimeUnit;
import m0.bytes.Span;
import m0.http.Limits;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What does a handler pay to ask a browser's request for its path or a field? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HeaderLookUpBenchmark {
    private final byte[] bytes = RequestBytes.browser();
    private final RequestHead head = new RequestHead(Limits.DEFAULT);
    private final Span value = new Span();

    @Setup
    public void parse() {
        head.begin(0);
        if (head.parse(bytes, bytes.length) != Outcome.DONE) {
            throw new IllegalStateException("violation=" + head.violation());
        }
    }

    @Benchmark
    public boolean pathIs() {
        return head.pathIs("/notes/42");
    }

    /** The last field of eleven, without a copy. */
    @Benchmark
    public boolean lastFieldAsSpan() {
        return head.header("if-none-match", value);
    }

    /** The same as a string, which allocates. */
    @Benchmark
    public String lastFieldAsString() {
        return head.header("if-none-match");
    }

    @Benchmark
    public boolean absentField() {
        return head.header("authorization", value);
    }

    @Benchmark
    public boolean listHasToken() {
        return head.headerHasToken("accept-encoding", "br");
    }
}
