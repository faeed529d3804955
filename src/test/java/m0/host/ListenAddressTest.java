package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.StandardProtocolFamily;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
    @ParameterizedTest
    @CsvSource({"0.0.0.0, 0.0.0.0, INET", "127.0.0.1, 127.0.0.1, INET",
            "localhost, 127.0.0.1, INET", "255.255.255.255, 255.255.255.255, INET",
            "::, [::], INET6", "[::], [::], INET6", "[::1], [::1], INET6", "::1, [::1], INET6",
            "[fe80::1], [fe80:0:0:0:0:0:0:1], INET6"})
    void readsAddresses(String text, String urlHost, StandardProtocolFamily family) {
        ListenAddress address = ListenAddress.read(text);
        assertEquals(urlHost, address.urlHost());
        assertEquals(family, address.family());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "example.org", "127.1", "1.2.3.4.5", "1.2.3", "256.0.0.1",
            "01.2.3.4", "1..2.3", ".1.2.3", "1.2.3.", "127.0.0.1:80", "[127.0.0.1]", "[::1",
            "::1]", "[]", ":", ":::", "[::1]:80", "g::1", "*", " 127.0.0.1", "1.2.3.-4",
            "localhost.", "tcp://1.2.3.4"})
    void refusesEverythingElse(String text) {
        assertNull(ListenAddress.read(text), text);
    }
}
