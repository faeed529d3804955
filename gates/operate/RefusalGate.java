package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import operate.Configuration.Result;
import org.junit.jupiter.api.Test;

/**
 * E30, E31: each configuration run both ways, served and with {@code --doctor}. Both end with the
 * same code; a refusal is one line, the doctor's first failed check, and nothing was announced.
 */
@Gate
class RefusalGate {
    private static final List<String> CHECKS = List.of("port", "address", "application", "mounts",
            "workers-count", "workers-vs-application", "threads-count", "workers-vs-threads",
            "threads-vs-application", "blocking-threads", "variables");

    @Test
    void portOutsideItsRangeIsRefusedEitherWay() {
        expectRefusal(Configuration.args("--port", "65536"), 78, "port", "--port 65536");
        expectRefusal(Configuration.args().set("M0_PORT", "-1"), 78, "port", "M0_PORT=-1");
    }

    @Test
    void unreadableValueIs2FromTheCommandLineAnd78FromTheEnvironment() {
        expectRefusal(Configuration.args("--max-body", "lots"), 2, "variables", "--max-body lots");
        expectRefusal(Configuration.args().set("M0_MAX_BODY", "lots"), 78, "variables",
                "M0_MAX_BODY=lots");
    }

    @Test
    void unknownFlagIs2() {
        Result served = Configuration.args("--bogus").serve();
        assertEquals(2, served.exit());
        assertEquals("host: unknown flag --bogus (--help lists the flags)\n", served.stderr());
        Result asked = Configuration.args("--bogus").doctor();
        assertEquals(2, asked.exit());
        assertEquals(2L, asked.report().get("exit"));
    }

    @Test
    void unknownVariableIsRefused() {
        expectRefusal(Configuration.args().set("M0_PROT", "80"), 78, "variables", "M0_PROT");
    }

    /** Set by hand, or left by somebody: it is nothing that a supervisor has set. */
    @Test
    void whatIsNoWorkersIndexIsRefused() {
        Configuration alone = Configuration.args("--port", "0").set("M0_INTERNAL_WORKER", "abc");
        Configuration both = Configuration.args("--port", "0").set("M0_INTERNAL_WORKER", "abc")
                .set("M0_INTERNAL_DIRECTORY", "/nowhere");
        expectRefusal(both, 78, "variables", "M0_INTERNAL_WORKER=abc is no worker's index");
        expectRefusal(alone, 78, "variables", "M0_INTERNAL_WORKER=abc is no worker's index");
    }

    @Test
    void aSubcommandBehindAFlagIsToldWhereItStands() {
        Result served = Configuration.args("--threads", "2", "serve").serve();
        assertEquals(2, served.exit());
        assertEquals("host: unexpected argument serve, a subcommand stands first (--help lists the"
                + " flags)\n", served.stderr());
    }

    @Test
    void addressThatIsNoneIsRefused() {
        expectRefusal(Configuration.args("--host", "localhost.example"), 78, "address",
                "--host localhost.example");
    }

    @Test
    void unknownApplicationIsRefused() {
        expectRefusal(Configuration.args().set("M0_APP", "nope"), 78, "application",
                "M0_APP=nope");
        expectRefusal(Configuration.args("--app", "java.lang.String"), 78, "application",
                "java.lang.String");
    }

    @Test
    void applicationThatCannotBeBuiltIsRefusedWithItsMessage() {
        expectRefusal(Configuration.args("--app", "host_check")
                .set("M0_HOSTCHECK_MAX_WORKERS", "many"), 78, "application",
                "M0_HOSTCHECK_MAX_WORKERS=many is not a number");
    }

    @Test
    void whatIsNotServedYetIsRefusedByName() {
        expectRefusal(Configuration.args("train"), 78, "mounts", "train is not served yet");
    }

    @Test
    void firstFailureRefusesAndTheDoctorShowsAll() {
        Configuration all = Configuration.args("--port", "70000", "--host", "nowhere")
                .set("M0_THREADS", "0").set("M0_BOGUS", "1");
        expectRefusal(all, 78, "port", "--port 70000");
        List<String> failed = new ArrayList<>();
        for (Map<String, Object> check : checks(all.doctor().report())) {
            if (check.get("ok").equals(false)) {
                failed.add((String) check.get("name"));
            }
        }
        assertEquals(List.of("port", "address", "threads-count", "variables"), failed);
    }

    @Test
    void applicationsLimitIsShownBesideTheCount() {
        Configuration two = Configuration.args("--app", "host_check", "--threads", "2")
                .set("M0_HOSTCHECK_MAX_WORKERS", "1");
        Map<String, Object> limit = checks(two.doctor().report()).get(8);
        assertEquals("threads-vs-application", limit.get("name"));
        assertEquals(false, limit.get("ok"));
        assertTrue(limit.get("detail").toString().endsWith("host_check allows, 1"),
                limit.toString());
        expectRefusal(two, 78, "threads-vs-application", "--threads 2");
    }

    @Test
    void whatServesIsWellWithTheDoctorToo() {
        Configuration well = Configuration.args("--port=0", "--metrics", "--host", "127.0.0.1")
                .set("M0_APP", "host_check").set("M0_PORT", "99999")
                .set("M0_HOSTCHECK_LOOP_ERROR", "0").set("M0_MAX_BODY", "1k");
        try (ServerProcess server = well.start(); RawClient client = RawClient.connect(server)) {
            client.get("/health").expect(200);
        }
        Result asked = well.doctor();
        assertEquals(0, asked.exit());
        assertEquals("", asked.stderr());
        Map<String, Object> report = asked.report();
        assertEquals(List.of("m0_host", "ok", "exit", "build", "config", "sources", "topology",
                "application", "checks"), List.copyOf(report.keySet()));
        assertEquals("1", report.get("m0_host"));
        assertEquals(true, report.get("ok"));
        assertEquals(0L, report.get("exit"));
        assertEquals(0L, part(report, "config").get("M0_PORT"));
        assertEquals(1024L, part(report, "config").get("M0_MAX_BODY"));
        assertEquals(true, part(report, "config").get("M0_METRICS"));
        assertEquals("flag", part(report, "sources").get("M0_PORT"));
        assertEquals("env", part(report, "sources").get("M0_MAX_BODY"));
        assertEquals("default", part(report, "sources").get("M0_MAX_HEAD"));
        assertEquals(Map.of("mode", "single", "loops", 1L, "handler_threads", 0L,
                "max_connections_per_loop", 16_384L, "accept_share", true),
                part(report, "topology"));
        assertEquals(Map.of("name", "host_check", "max_workers", 0L, "max_threads", 0L,
                "page_slots", 7L), part(report, "application"));
        assertEquals(CHECKS, checks(report).stream().map(check -> check.get("name")).toList());
        assertTrue(checks(report).stream().allMatch(check -> check.get("ok").equals(true)
                && check.get("detail") instanceof String && check.size() == 3));
    }

    @Test
    void doctorBindsNothing() {
        try (ServerProcess server = ServerProcess.app("hello").start()) {
            Result asked = Configuration.args("--host", "127.0.0.1", "--port",
                    String.valueOf(server.port())).doctor();
            assertEquals(0, asked.exit(), "the port is taken, which the doctor does not ask");
        }
    }

    @Test
    void doctorMakesNothing() {
        Result asked = Configuration.args("--app", "host_check")
                .set("M0_HOSTCHECK_MAKE_RAISES", "1").doctor();
        assertEquals(0, asked.exit());
        assertEquals("", asked.stderr());
    }

    @Test
    void helpNamesTheSettingsAndServesNothing() {
        for (String flag : List.of("--help", "-h")) {
            Result help = Configuration.args(flag).set("M0_PORT", "70000").serve();
            assertEquals(0, help.exit());
            assertEquals("", help.stderr());
            assertTrue(help.stdout().contains("--max-keepalive-requests, "
                    + "M0_MAX_KEEPALIVE_REQUESTS"), help.stdout());
        }
    }

    @Test
    void helpOfPublishIsItsUsage() {
        Result help = Configuration.args("publish", "--help").serve();
        assertEquals(0, help.exit(), help.stderr());
        assertEquals("", help.stderr());
        assertTrue(help.stdout().startsWith("usage: java -jar host.jar publish CHANNEL "),
                help.stdout());
    }

    @Test
    void whatAPlatformInjectsIsPassedOverWithOneLine() {
        Configuration injected = Configuration.args("--port", "0")
                .set("M0_PORT", "tcp://10.0.0.1:80").set("M0_SERVICE_HOST", "10.0.0.1")
                .set("M0_PORT_80_TCP_ADDR", "10.0.0.1").set("M0_SERVICE_PORT_HTTP", "80");
        try (ServerProcess server = injected.start()) {
            assertEquals("host: passed over M0_PORT, M0_PORT_80_TCP_ADDR, M0_SERVICE_HOST,"
                    + " M0_SERVICE_PORT_HTTP, which a container platform sets",
                    server.stderr().lines().findFirst().orElse(""));
        }
        assertEquals(0, injected.doctor().exit());
    }

    private static void expectRefusal(Configuration configuration, int exit, String check,
            String finding) {
        Result served = configuration.serve();
        assertEquals(exit, served.exit(), configuration + ": " + served.stderr());
        assertEquals(1, served.stderr().lines().count(), served.stderr());
        assertEquals("", served.stdout());
        Result asked = configuration.doctor();
        assertEquals(exit, asked.exit(), configuration.toString());
        assertEquals("", asked.stderr());
        Map<String, Object> report = asked.report();
        assertEquals(false, report.get("ok"));
        assertEquals((long) exit, report.get("exit"));
        Map<String, Object> first = checks(report).stream()
                .filter(each -> each.get("ok").equals(false)).findFirst().orElseThrow();
        assertEquals(check, first.get("name"));
        assertEquals((long) exit, first.get("exit"));
        assertFalse(first.get("fix").toString().isEmpty());
        assertEquals("host: " + first.get("detail") + " (" + first.get("fix") + ")\n",
                served.stderr());
        assertTrue(first.get("detail").toString().contains(finding), first.toString());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(Map<String, Object> report, String name) {
        return (Map<String, Object>) report.get(name);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> checks(Map<String, Object> report) {
        return (List<Map<String, Object>>) report.get("checks");
    }
}
