package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import m0.app.App;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DoctorTest {
    @Test
    void reportIsOneLine() {
        String report = report("", Map.of("M0_APP", "two\nlines"));
        assertFalse(report.contains("\n"));
    }

    @Test
    void saysWhatWouldServe() {
        String report = report("--port 7 --metrics", Map.of("M0_MAX_BODY", "1k"));
        assertTrue(report.startsWith("{\"m0_host\":\"1\",\"ok\":true,\"exit\":0,\"build\":\""));
        assertHolds(report, "\"M0_PORT\":7,");
        assertHolds(report, "\"M0_MAX_BODY\":1024,");
        assertHolds(report, "\"M0_METRICS\":true");
        assertHolds(report, "\"M0_ORIGINS\":null");
        assertHolds(report, "\"M0_HOST\":\"0.0.0.0\"");
        assertHolds(report, "\"M0_PORT\":\"flag\"");
        assertHolds(report, "\"M0_MAX_BODY\":\"env\"");
        assertHolds(report, "\"M0_HOST\":\"default\"");
        assertHolds(report, "\"topology\":{\"mode\":\"single\",\"loops\":1,\"handler_threads\":0,"
                + "\"max_connections_per_loop\":16384,\"accept_share\":true}");
        assertHolds(report, "\"application\":{\"name\":\"hello\",\"max_workers\":0,"
                + "\"max_threads\":0,\"page_slots\":1}");
        assertHolds(report, "{\"name\":\"port\",\"ok\":true,\"detail\":\"7\"}");
    }

    @Test
    void saysWhatWouldBeRefusedAndHowToMendIt() {
        String report = report("--port 70000", Map.of());
        assertHolds(report, "\"ok\":false,\"exit\":78,");
        assertHolds(report, "{\"name\":\"port\",\"ok\":false,\"detail\":\"--port 70000 is not in"
                + " 0..65535\",\"fix\":\"set M0_PORT or --port to 0..65535\",\"exit\":78}");
    }

    @Test
    void showsAnUnreadableValueAsItWasWritten() {
        String report = report("", Map.of("M0_MAX_BODY", "lots"));
        assertHolds(report, "\"M0_MAX_BODY\":\"lots\"");
    }

    @Test
    void topologyIsWhatWasAskedForEvenWhereItIsRefused() {
        assertHolds(report("--threads 3 --blocking-threads 2", Map.of()),
                "\"mode\":\"threads\",\"loops\":3,\"handler_threads\":6,");
        assertHolds(report("--workers 2", Map.of()), "\"mode\":\"prefork\",\"loops\":2,");
        assertHolds(report("--blocking-threads virtual --threads 2", Map.of()),
                "\"loops\":2,\"handler_threads\":\"virtual\",");
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void namesEverySettingTwice(Setting setting) {
        String[] parts = report("", Map.of()).split("\"" + setting.variable() + "\":", -1);
        assertEquals(3, parts.length, "once in config and once in sources");
    }

    private static void assertHolds(String report, String part) {
        assertTrue(report.contains(part), () -> part + " is not in " + report);
    }

    /** What stands there is what is served, though neither flag nor variable has said it. */
    @Test
    void saysTheApplicationThatAProgramBrings() {
        App brought = context -> {
            throw new AssertionError("the doctor makes nothing");
        };
        String report = report("", Map.of(), OneApplication.given(brought));
        String name = brought.getClass().getName();
        assertHolds(report, "\"M0_APP\":\"" + name + "\"");
        assertHolds(report, "\"M0_APP\":\"default\"");
        assertHolds(report, "{\"name\":\"application\",\"ok\":true,\"detail\":\"" + name + "\"}");
    }

    private static String report(String words, Map<String, String> variables) {
        return report(words, variables, OneApplication.named(DoctorTest.class.getClassLoader()));
    }

    private static String report(String words, Map<String, String> variables,
            OneApplication program) {
        CommandLine line =
                CommandLine.read(words.isEmpty() ? new String[0] : words.split(" "), program);
        Environment environment = new Environment(variables);
        Settings settings = new Settings(line, environment, program);
        Selection selection = program.select(settings, line.command());
        return Doctor.report(settings, selection,
                Checks.evaluate(settings, environment, selection, Surroundings.ofAProgram()));
    }
}
