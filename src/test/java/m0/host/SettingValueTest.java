package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingValueTest {
    @ParameterizedTest
    @CsvSource({"ACCEPT_BATCH, 0, 0", "ACCEPT_BATCH, 65535, 65535", "MAX_HEAD, 16k, 16384",
            "MAX_BODY, 1m, 1048576", "MAX_BODY, 0, 0", "MAX_BODY, 1024m, 1073741824",
            "MAX_TARGET, 100, 100", "ACCEPT_SHARE, 0, 0", "METRICS, true, 1", "METRICS, false, 0",
            "ACCESS_LOG, 1, 1", "ACCESS_LOG, 0, 0", "BLOCKING_THREADS, virtual, -1",
            "BLOCKING_THREADS, 4, 4", "PORT, 70000, 70000", "PORT, -1, -1", "THREADS, 0, 0",
            "PORT, 0080, 80"})
    void readsWhatTheKindTakes(Setting setting, String text, long number) {
        SettingValue value = SettingValue.read(setting, text);
        assertNotNull(value, setting + " " + text);
        assertEquals(number, value.number());
        assertEquals(text, value.text());
    }

    @ParameterizedTest
    @CsvSource({"ACCEPT_BATCH, -1", "ACCEPT_BATCH, 65536", "ACCEPT_BATCH, 1k", "ACCEPT_BATCH, +1",
            "ACCEPT_BATCH, 1.5", "ACCEPT_BATCH, 0x10", "ACCEPT_BATCH, ''", "ACCEPT_BATCH, ' 1'",
            "ACCEPT_BATCH, 99999999999999999999", "MAX_HEAD, 16K", "MAX_HEAD, k", "MAX_HEAD, 1kk",
            "MAX_HEAD, 255", "MAX_BODY, 1025m", "MAX_BODY, -1k", "MAX_BODY, 999999999999999999m",
            "ACCEPT_SHARE, true", "ACCEPT_SHARE, 2", "METRICS, 2", "METRICS, yes", "METRICS, ''",
            "BLOCKING_THREADS, Virtual", "BLOCKING_THREADS, -1", "PORT, abc", "PORT, -", "PORT, ''",
            "PORT, 1234567890123456789", "WORKERS, 1m", "BODY_RATE, 0", "MAX_CONNECTIONS, 0"})
    void refusesWhatTheKindDoesNotTake(Setting setting, String text) {
        assertNull(SettingValue.read(setting, text));
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void readsEveryDefault(Setting setting) {
        if (setting.byDefault() == null) {
            assertTrue(setting.kind() == Setting.Kind.LIST
                    || setting.kind() == Setting.Kind.ORIGINS, "only a list may be unset");
        } else {
            assertNotNull(SettingValue.read(setting, setting.byDefault()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1k", "16m", "1000", "0", "125"})
    void writesSizesAsTheyAreRead(String text) {
        assertEquals(text, SettingValue.sizeText(
                SettingValue.read(Setting.MAX_BODY, text).number()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://a.example", "http://a:8080, https://b.example"})
    void takesOriginsAsABrowserSendsThem(String text) {
        assertNotNull(SettingValue.read(Setting.ORIGINS, text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.example", "https://a.example/", "https://*.example", "null,"})
    void refusesWhatNoBrowserWouldSend(String text) {
        assertNull(SettingValue.read(Setting.ORIGINS, text));
    }

    @Test
    void rangesNameBothEnds() {
        assertEquals("0..65535", Setting.PORT.range());
        assertEquals("256..16m", Setting.MAX_HEAD.range());
        assertEquals("0 or more", Setting.MAX_KEEPALIVE_REQUESTS.range());
        assertEquals("0..1024 or virtual", Setting.BLOCKING_THREADS.range());
        assertEquals("1..1024 or virtual", Setting.BLOCKING_THREADS.rangeFrom(1));
    }
}
