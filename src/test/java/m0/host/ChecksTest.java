package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksTest {
    private static final List<String> ORDER = List.of("port", "address", "application", "mounts",
            "workers-count", "workers-vs-application", "threads-count", "workers-vs-threads",
            "threads-vs-application", "blocking-threads", "variables");

    /** An application whose state lives in one handler. */
    private static final class Single implements App {
        @Override
        public AppHandler make(HostContext context) {
            throw new AssertionError("checks make nothing");
        }

        @Override
        public int maxWorkers() {
            return 1;
        }

        @Override
        public Set<String> settings() {
            return Set.of("M0_SINGLE");
        }
    }

    @Test
    void defaultsHoldInTheSettledOrder() {
        List<Check> checks = evaluate("", Map.of());
        assertEquals(ORDER, checks.stream().map(Check::name).toList());
        assertNull(Checks.firstFailure(checks));
        assertTrue(checks.stream().allMatch(check -> check.fix().isEmpty()));
    }

    @ParameterizedTest
    @CsvSource({
            "port, --port 65536, 78, --port 65536 is not in 0..65535",
            "port, --port -1, 78, --port -1 is not in 0..65535",
            "port, --port x, 2, --port x cannot be read as 0..65535",
            "address, --host example.org, 78, --host example.org is no address to listen on",
            "application, --app nope, 78, --app nope: no application and no class is called nope",
            "mounts, --mount /x=hello, 78, --mount /x=hello is for the subcommand serve alone",
            "mounts, --mount-loop 1, 78, --mount-loop 1 is for the subcommand serve alone",
            "mounts, serve, 78, the subcommand serve is not served yet",
            "mounts, publish, 78, the subcommand publish is not served yet",
            "mounts, train, 78, the subcommand train is not served yet",
            "workers-count, --workers 0, 78, --workers 0 is less than 1",
            "workers-count, --workers 2, 78, --workers 2 is not served yet",
            "workers-count, --workers x, 2, --workers x cannot be read as 1 or more",
            "threads-count, --threads 0, 78, --threads 0 is less than 1",
            "threads-count, --threads 2, 78, --threads 2 is not served yet",
            "threads-count, --threads x, 2, --threads x cannot be read as 1 or more",
            "blocking-threads, --blocking-threads 1, 78, --blocking-threads 1 is not served yet",
            "blocking-threads, --blocking-threads virtual, 78,"
                    + " --blocking-threads virtual is not served yet",
            "blocking-threads, --blocking-threads x, 2,"
                    + " --blocking-threads x cannot be read as 0..1024 or virtual",
            "variables, --max-body x, 2, --max-body x cannot be read as 0..1024m",
            "variables, --access-log=2, 2,"
                    + " '--access-log 2 cannot be read as 1, true, 0 or false'"})
    void refusesFromTheCommandLine(String name, String words, int exit, String finding) {
        assertRefusal(evaluate(words, Map.of()), name, exit, finding);
    }

    @ParameterizedTest
    @CsvSource({
            "port, M0_PORT, 65536, M0_PORT=65536 is not in 0..65535",
            "port, M0_PORT, x, M0_PORT=x cannot be read as 0..65535",
            "address, M0_HOST, x, M0_HOST=x is no address to listen on",
            "application, M0_APP, nope, M0_APP=nope: no application and no class is called nope",
            "mounts, M0_MOUNT, /x=y, M0_MOUNT=/x=y is for the subcommand serve alone",
            "workers-count, M0_WORKERS, 0, M0_WORKERS=0 is less than 1",
            "workers-count, M0_WORKERS, 2, M0_WORKERS=2 is not served yet",
            "threads-count, M0_THREADS, -3, M0_THREADS=-3 is less than 1",
            "threads-count, M0_THREADS, 2, M0_THREADS=2 is not served yet",
            "blocking-threads, M0_BLOCKING_THREADS, 2, M0_BLOCKING_THREADS=2 is not served yet",
            "variables, M0_MAX_HEAD, 1g, M0_MAX_HEAD=1g cannot be read as 256..16m",
            "variables, M0_METRICS, on, 'M0_METRICS=on cannot be read as 1, true, 0 or false'",
            "variables, M0_BOGUS, 1, M0_BOGUS is no setting",
            "variables, M0_SINGLE, 1, M0_SINGLE is no setting"})
    void refusesFromTheEnvironment(String name, String variable, String value, String finding) {
        assertRefusal(evaluate("", Map.of(variable, value)), name, 78, finding);
    }

    @Test
    void applicationsOwnVariablesAreKnown() {
        assertNull(Checks.firstFailure(evaluate(new Single(), "", Map.of("M0_SINGLE", "1"))));
        assertRefusal(evaluate(new Single(), "", Map.of("M0_SINGEL", "1")), "variables", 78,
                "M0_SINGEL is no setting");
    }

    @Test
    void applicationsLimitsAreJudgedBesideTheCounts() {
        List<Check> checks = evaluate(new Single(), "--workers 3 --threads 2", Map.of());
        Check workers = named(checks, "workers-vs-application");
        assertFalse(workers.ok());
        assertTrue(workers.detail().endsWith("allows, 1"), workers.detail());
        Check threads = named(checks, "threads-vs-application");
        assertFalse(threads.ok(), "the limit of threads defaults to that of workers");
        Check both = named(checks, "workers-vs-threads");
        assertEquals("--workers 3 and --threads 2 exclude each other", both.detail());
    }

    @Test
    void everyFailureIsShownAndTheFirstRefuses() {
        Map<String, String> all = new HashMap<>();
        all.put("M0_PORT", "70000");
        all.put("M0_HOST", "x");
        all.put("M0_APP", "nope");
        all.put("M0_MOUNT", "/x=y");
        all.put("M0_WORKERS", "0");
        all.put("M0_THREADS", "0");
        all.put("M0_BLOCKING_THREADS", "1");
        all.put("M0_BOGUS", "1");
        List<Check> checks = evaluate("", all);
        assertEquals(List.of("port", "address", "application", "mounts", "workers-count",
                "threads-count", "blocking-threads", "variables"),
                checks.stream().filter(check -> !check.ok()).map(Check::name).toList());
        assertEquals("port", Checks.firstFailure(checks).name());
    }

    @Test
    void everyFixNamesFlagAndVariable() {
        for (Setting setting : Setting.values()) {
            List<Check> checks = evaluate("", Map.of(setting.variable(), "\u00a0"));
            Check refusal = Checks.firstFailure(checks);
            if (setting.kind() == Setting.Kind.LIST && setting != Setting.MOUNT) {
                assertNull(refusal);
            } else {
                assertTrue(refusal.fix().contains(setting.variable() + " "), setting.name());
                assertTrue(refusal.fix().contains(setting.flag()), setting.name());
            }
        }
    }

    private static void assertRefusal(List<Check> checks, String name, int exit, String finding) {
        Check refusal = Checks.firstFailure(checks);
        assertEquals(name, refusal.name());
        assertEquals(finding, refusal.detail());
        assertEquals(exit, refusal.exit());
        assertFalse(refusal.fix().isEmpty());
    }

    private static Check named(List<Check> checks, String name) {
        return checks.get(ORDER.indexOf(name));
    }

    private static List<Check> evaluate(String words, Map<String, String> variables) {
        return evaluate(null, words, variables);
    }

    private static List<Check> evaluate(App app, String words, Map<String, String> variables) {
        CommandLine line =
                CommandLine.read(words.isEmpty() ? new String[0] : words.split(" "));
        Environment environment = new Environment(variables);
        Settings settings = new Settings(line, environment);
        Applications.Selected selected = app == null
                ? Applications.named(settings, ChecksTest.class.getClassLoader())
                : Applications.given(app, settings);
        return Checks.evaluate(settings, environment, selected, line.command());
    }
}
