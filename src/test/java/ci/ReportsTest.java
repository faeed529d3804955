package ci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code .ci/run} is told of a run, by the program it asks. */
class ReportsTest {
    private static final String GREEN = "<testcase classname=\"a.FirstTest\" name=\"holds\""
            + " time=\"0.25\"/>";
    private static final String SKIPPED = "<testcase classname=\"a.FirstTest\" name=\"waits\""
            + " time=\"0\"><skipped message=\"for a reason\"/></testcase>";
    private static final String FAILED = "<testcase classname=\"a.SlowGate\" name=\"breaks\""
            + " time=\"1,002.5\"><failure message=\"expected: &lt;1&gt;&#10;---- server 7\""
            + " type=\"x\">a trace</failure></testcase>";
    private static final String THREW = "<testcase classname=\"a.SlowGate\" name=\"\" time=\"0\">"
            + "<error type=\"x\">no message\n\tat a.SlowGate</error></testcase>";

    @TempDir
    Path directory;

    @Test
    void testsAreCountedAndTheirTimesAddedByClass() throws Exception {
        report("TEST-a.xml", GREEN, SKIPPED, GREEN);
        assertEquals(List.of("COUNT 2 0 1", "TOOK 0.5 a.FirstTest"), read("0"));
    }

    @Test
    void failuresAreNamedWithTheFirstLineOfWhatTheySaid() throws Exception {
        report("TEST-a.xml", GREEN);
        report("TEST-b.xml", FAILED, THREW);
        assertEquals(List.of("COUNT 1 2 0", "FAILED a.SlowGate#breaks: expected: <1>",
                "FAILED a.SlowGate#: no message", "TOOK 0.3 a.FirstTest",
                "TOOK 1002.5 a.SlowGate"), read("1"));
    }

    @Test
    void runThatFailedWithoutAFailedTestIsAFailure() throws Exception {
        report("TEST-a.xml", GREEN);
        assertEquals(List.of("COUNT 1 1 0", "FAILED ended with 1, and no failed test says why",
                "TOOK 0.3 a.FirstTest"), read("1"));
    }

    @Test
    void directoryWithoutATestThatRanIsAFailure() throws Exception {
        report("TEST-a.xml", SKIPPED);
        assertEquals(List.of("COUNT 0 2 1", "FAILED " + directory + ": no test ran",
                "FAILED absent: no test ran", "TOOK 0.0 a.FirstTest"), read("0", "absent"));
    }

    @Test
    void reportCutShortIsAFailure() throws Exception {
        report("TEST-a.xml", GREEN);
        Files.writeString(directory.resolve("TEST-b.xml"), "<testsuite><testcase ");
        List<String> said = read("0");
        assertEquals("COUNT 1 1 0", said.get(0));
        assertTrue(said.get(1).startsWith("FAILED TEST-b.xml: "), said.toString());
    }

    private void report(String name, String... cases) throws IOException {
        Files.writeString(directory.resolve(name),
                "<testsuite name=\"x\">" + String.join("", cases) + "</testsuite>");
    }

    private List<String> read(String code, String... more) throws Exception {
        var command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java",
                ".ci/Reports.java", code, directory.toString()));
        command.addAll(List.of(more));
        Process reports = new ProcessBuilder(command)
                .redirectErrorStream(true).start();
        String said = new String(reports.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(reports.waitFor(60, TimeUnit.SECONDS), "it does not end");
        assertEquals(0, reports.exitValue(), said);
        return said.lines().toList();
    }
}
