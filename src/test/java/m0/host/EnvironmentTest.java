package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentTest {
    @ParameterizedTest
    @CsvSource({"M0_SERVICE_HOST, 10.0.0.1", "M0_CHAT_SERVICE_HOST, chat", "M0_SERVICE_PORT, 80",
            "M0_SERVICE_PORT_HTTP, 80", "M0_CHAT_PORT, tcp://10.0.0.1:80",
            "M0_PORT_53_UDP, udp://10.0.0.1:53", "M0_PORT_80_TCP, tcp://10.0.0.1:80",
            "M0_PORT_80_TCP_PORT, 80", "M0_PORT_80_TCP_PROTO, tcp",
            "M0_PORT_80_TCP_ADDR, 10.0.0.1", "M0_PORT, tcp://10.0.0.1:80",
            "M0_HOST, udp://10.0.0.1:80"})
    void passesOverWhatAPlatformInjects(String name, String value) {
        Environment environment = new Environment(Map.of(name, value));
        assertEquals(List.of(name), environment.passedOver());
        assertEquals(List.of(), environment.others());
        assertNull(environment.value(Setting.PORT));
        assertNull(environment.value(Setting.HOST));
    }

    @ParameterizedTest
    @CsvSource({"M0_PROT, 80", "M0_BOGUS, 1", "M0_CHAT_PORT, eighty", "M0_CHAT_PORT, ''",
            "M0_, 1", "M0_SERVICE_PORT, http", "M0_PORT_X, y", "M0_port, x"})
    void keepsMistakesForTheCheck(String name, String value) {
        Environment environment = new Environment(Map.of(name, value));
        assertEquals(List.of(name), environment.others());
        assertEquals(List.of(), environment.passedOver());
    }

    @Test
    void settingsAreNotPassedOverForTheirNames() {
        Environment environment = new Environment(Map.of("M0_PORT", "80", "M0_HOST", "::1"));
        assertEquals("80", environment.value(Setting.PORT));
        assertEquals("::1", environment.value(Setting.HOST));
        assertEquals(List.of(), environment.passedOver());
    }

    @Test
    void ignoresOtherNamesAndItsOwnInternalOnes() {
        Environment environment =
                new Environment(Map.of("PATH", "/bin", "M0_INTERNAL_SOCKET", "x", "XM0_Y", "z"));
        assertEquals(List.of(), environment.others());
        assertEquals(List.of(), environment.passedOver());
    }
}
