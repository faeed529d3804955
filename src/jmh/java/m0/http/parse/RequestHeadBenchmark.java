package m0.http.parse;

import java.util.concurrent.TimeUnit;
import m0.http.Limits;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What does it cost to parse a request head that has come whole? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RequestHeadBenchmark {
    private final byte[] small = RequestBytes.small();
    private final byte[] browser = RequestBytes.browser();
    private final RequestHead head = new RequestHead(Limits.DEFAULT);

    /** 42 bytes, one field. */
    @Benchmark
    public Outcome small() {
        head.begin(0);
        return head.parse(small, small.length);
    }

    /** Some 500 bytes, eleven fields. */
    @Benchmark
    public Outcome browser() {
        head.begin(0);
        return head.parse(browser, browser.length);
    }

    /** The same as it comes in two reads. */
    @Benchmark
    public Outcome browserInTwoReads() {
        head.begin(0);
        head.parse(browser, browser.length / 2);
        return head.parse(browser, browser.length);
    }
}
