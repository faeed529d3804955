package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a program refuses is offered by none of its lines. */
class HostProgramTest {
    private static final String ITS_OWN = "1..1024 or virtual";

    /** A program that serves nothing without pool threads. */
    private static final class Pooled implements HostProgram {
        @Override
        public String command() {
            return "pooled";
        }

        @Override
        public Map<Setting, String> defaults() {
            return Map.of(Setting.BLOCKING_THREADS, "4");
        }

        @Override
        public String range(Setting setting) {
            return setting == Setting.BLOCKING_THREADS ? setting.rangeFrom(1) : setting.range();
        }

        @Override
        public Selection select(Settings settings, String command) {
            throw new AssertionError("nothing is chosen");
        }
    }

    private final HostProgram program = new Pooled();

    @Test
    void itsHelpHasItsDefaultsAndRanges() {
        String help = Help.text(program);
        assertTrue(help.contains("default 4, " + ITS_OWN + "\n"), help);
        assertFalse(help.contains("0..1024 or"), help);
        assertTrue(help.contains("default 8080, 0..65535\n"), help);
    }

    @Test
    void aFlagWithoutItsValueIsToldItsRange() {
        assertEquals("--blocking-threads has no value, it takes " + ITS_OWN,
                line("--blocking-threads").error());
        assertEquals("--port has no value, it takes 0..65535", line("--port").error());
    }

    @Test
    void aValueThatCannotBeReadIsToldItsRange() {
        Settings settings = new Settings(line(), new Environment(Map.of("M0_BLOCKING_THREADS", "x",
                "M0_PORT", "x")), program);
        Settings.Fault fault = settings.fault(Setting.BLOCKING_THREADS);
        assertEquals("M0_BLOCKING_THREADS=x cannot be read as " + ITS_OWN, fault.finding());
        assertEquals("set M0_BLOCKING_THREADS or --blocking-threads to " + ITS_OWN, fault.fix());
        assertEquals("M0_PORT=x cannot be read as 0..65535", settings.fault(Setting.PORT).finding());
    }

    private CommandLine line(String... words) {
        return CommandLine.read(words, program);
    }
}
