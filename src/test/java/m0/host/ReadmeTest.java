package m0.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    @Test
    void readmeHoldsTheTableOfTheCode() throws IOException {
        String table = markdown();
        assertTrue(Files.readString(Path.of("README.md")).contains(table),
                "README.md does not hold the code's table of settings, which is:\n\n" + table);
    }

    private static String markdown() {
        StringBuilder table = new StringBuilder("| variable, flag | default | takes | meaning |\n")
                .append("|---|---|---|---|\n");
        for (Setting setting : Setting.values()) {
            boolean onOff = setting.kind() == Setting.Kind.SWITCH;
            String byDefault = onOff ? "off"
                    : setting.byDefault() == null ? "unset" : setting.byDefault();
            table.append("| `").append(setting.variable()).append("`, `").append(setting.flag())
                    .append("` | ").append(byDefault).append(" | ")
                    .append(onOff ? "`1` or `true`; the flag takes no value" : setting.range())
                    .append(" | ").append(setting.meaning()).append(" |\n");
        }
        return table.toString();
    }
}
