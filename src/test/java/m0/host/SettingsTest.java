package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SettingsTest {
    @Test
    void flagGoesBeforeVariableBeforeDefault() {
        Settings settings = settings("--port 1", Map.of("M0_PORT", "2", "M0_MAX_BODY", "3k"));
        assertEquals(1, settings.number(Setting.PORT));
        assertEquals(Settings.Source.FLAG, settings.source(Setting.PORT));
        assertEquals(3072, settings.number(Setting.MAX_BODY));
        assertEquals(Settings.Source.ENV, settings.source(Setting.MAX_BODY));
        assertEquals(32_768, settings.number(Setting.MAX_HEAD));
        assertEquals(Settings.Source.DEFAULT, settings.source(Setting.MAX_HEAD));
    }

    @Test
    void unreadableVariableIsRefusedWithNameValueAndRange() {
        Settings settings = settings("", Map.of("M0_ACCEPT_BATCH", "many"));
        Settings.Fault fault = settings.fault(Setting.ACCEPT_BATCH);
        assertEquals("M0_ACCEPT_BATCH=many cannot be read as 0..65535", fault.finding());
        assertEquals("set M0_ACCEPT_BATCH or --accept-batch to 0..65535", fault.fix());
        assertEquals(ExitCode.REFUSED, fault.exit());
        assertEquals(16, settings.number(Setting.ACCEPT_BATCH), "the default stands in");
    }

    @Test
    void unreadableFlagIsAnUnreadableCommandLine() {
        Settings.Fault fault = settings("--accept-batch many", Map.of())
                .fault(Setting.ACCEPT_BATCH);
        assertEquals("--accept-batch many cannot be read as 0..65535", fault.finding());
        assertEquals(ExitCode.UNREADABLE, fault.exit());
    }

    @Test
    void readableFlagHidesAnUnreadableVariable() {
        Settings settings = settings("--accept-batch 1", Map.of("M0_ACCEPT_BATCH", "many"));
        assertNull(settings.fault(Setting.ACCEPT_BATCH));
        assertEquals(1, settings.number(Setting.ACCEPT_BATCH));
    }

    @ParameterizedTest
    @EnumSource(value = Setting.class, mode = EnumSource.Mode.EXCLUDE,
            names = {"HOST", "APP", "MOUNT", "ORIGINS"})
    void everyNumberRefusesWords(Setting setting) {
        assertNotNull(settings("", Map.of(setting.variable(), "word")).fault(setting));
        assertNotNull(settings(setting.flag() + "=word", Map.of()).fault(setting));
    }

    @Test
    void valuesCannotBreakTheLineOfARefusal() {
        Settings settings = settings("", Map.of("M0_PORT", "1\n2\u001b[m"));
        assertEquals("M0_PORT=1?2?[m cannot be read as 0..65535",
                settings.fault(Setting.PORT).finding());
    }

    private static Settings settings(String words, Map<String, String> variables) {
        String[] args = words.isEmpty() ? new String[0] : words.split(" ");
        OneApplication program = OneApplication.named(SettingsTest.class.getClassLoader());
        return new Settings(CommandLine.read(args, program), new Environment(variables), program);
    }
}
