package kind;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import load.EventReaders;
import process.Arm;
import process.ServerProcess;
import report.Artifact;

/** Whether every frame of a fast producer comes on every one of many streams, and how together. */
final class StreamsBench implements Bench {
    private static final int STREAMS = 512;
    private static final int LOOPS = 2;
    /** 62.5 a second: the first whole number of milliseconds that is no less than 60. */
    private static final int PERIOD_MS = 16;
    private static final int SECONDS = 10;
    private static final int SECONDS_BRIEF = 2;
    private static final int RUNS = 3;
    private static final String CORES = "0,1";
    private static final byte[] REQUEST =
        "GET /events HTTP/1.1\r\nHost: m0.example\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final Stage stage;
    private final int seconds;
    private final int runs;
    private final Artifact artifact;

    StreamsBench(Stage stage) {
        this.stage = stage;
        this.seconds = stage.options().brief() ? SECONDS_BRIEF : SECONDS;
        this.runs = stage.options().pairsOr(RUNS);
        this.artifact = stage.artifact(Map.of("streams", STREAMS, "loops", LOOPS, "period_ms",
            PERIOD_MS, "seconds", seconds, "runs", runs, "server_core", CORES, "application",
            "host_check"));
    }

    @Override
    public void run() throws IOException {
        artifact.define("frames", "ids that every stream had to carry: from the highest first id of"
            + " all streams to the lowest last one");
        artifact.define("wrong", "streams on which one of them was missing, came twice or out of"
            + " order");
        artifact.define("by_loop", "streams that each loop held");
        artifact.define("spread_ms", "of one frame: from its arrival on the first stream to that on"
            + " the last; the median and the 99th percentile over frames");
        artifact.define("holds", "no stream was wrong, both loops held streams, and the frames were"
            + " as many as the period makes, less a tenth");
        for (int run = 0; run < runs; run++) {
            measure(run);
        }
        artifact.write(stage.results());
    }

    private void measure(int run) throws IOException {
        Arm arm = stage.ours("ours").with("ours", Map.of("M0_APP", "host_check", "M0_THREADS",
            String.valueOf(LOOPS), "M0_HOSTCHECK_PERIOD_MS", String.valueOf(PERIOD_MS)));
        try (ServerProcess server = ServerProcess.start(arm, CORES);
                EventReaders readers = new EventReaders(server.address(), STREAMS, REQUEST)) {
            readers.read(TimeUnit.SECONDS.toNanos(seconds));
            judge(run, readers.streams());
        }
    }

    private void judge(int run, List<EventReaders.Stream> streams) {
        long from = Long.MIN_VALUE;
        long to = Long.MAX_VALUE;
        Map<Integer, Integer> byLoop = new TreeMap<>();
        for (EventReaders.Stream stream : streams) {
            long[] ids = stream.ids();
            from = Math.max(from, ids.length == 0 ? Long.MAX_VALUE : ids[0]);
            to = Math.min(to, ids.length == 0 ? Long.MIN_VALUE : ids[ids.length - 1]);
            byLoop.merge(stream.worker(), 1, Integer::sum);
        }
        int frames = (int) Math.max(0, to - from + 1);
        int wrong = 0;
        long[] firstNs = new long[frames];
        long[] lastNs = new long[frames];
        Arrays.fill(firstNs, Long.MAX_VALUE);
        Arrays.fill(lastNs, Long.MIN_VALUE);
        for (EventReaders.Stream stream : streams) {
            long[] ids = stream.ids();
            boolean contiguous = ids.length > 0;
            for (int index = 0; index < ids.length; index++) {
                contiguous &= ids[index] == ids[0] + index;
                if (ids[index] >= from && ids[index] <= to) {
                    int frame = (int) (ids[index] - from);
                    firstNs[frame] = Math.min(firstNs[frame], stream.atNs(index));
                    lastNs[frame] = Math.max(lastNs[frame], stream.atNs(index));
                }
            }
            wrong += contiguous ? 0 : 1;
        }
        double[] spreads = new double[frames];
        for (int frame = 0; frame < frames; frame++) {
            spreads[frame] = EventReaders.ms(lastNs[frame] - firstNs[frame]);
        }
        Arrays.sort(spreads);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("run", run);
        row.put("frames", frames);
        row.put("wrong", wrong);
        row.put("by_loop", List.copyOf(byLoop.values()));
        row.put("spread_ms", frames == 0 ? 0 : spreads[frames / 2]);
        row.put("spread_ms_p99", frames == 0 ? 0 : spreads[frames * 99 / 100]);
        int expected = (int) TimeUnit.SECONDS.toMillis(seconds) / PERIOD_MS;
        row.put("holds", wrong == 0 && byLoop.size() == LOOPS && frames >= expected * 9 / 10);
        artifact.row(row);
        artifact.ratio(row);
    }
}
