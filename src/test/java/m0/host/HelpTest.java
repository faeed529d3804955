package m0.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HelpTest {
    private static final String HELP =
            Help.text(OneApplication.named(HelpTest.class.getClassLoader()));

    @ParameterizedTest
    @EnumSource(Setting.class)
    void namesEverySetting(Setting setting) {
        assertTrue(HELP.contains(setting.flag() + ", " + setting.variable()));
        assertTrue(HELP.contains(setting.meaning()));
    }

    @Test
    void namesTheSubcommands() {
        assertTrue(HELP.contains("before the flags: serve ") && HELP.contains("publish CHANNEL"));
    }

    @Test
    void fitsNamesIntoTheirColumn() {
        for (Setting setting : Setting.values()) {
            assertTrue(setting.flag().length() + 2 + setting.variable().length() <= 52,
                    setting.name());
        }
    }
}
