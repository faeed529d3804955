package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RemoteTextsTest {
    private final RemoteTexts texts = new RemoteTexts();

    @Test
    void writesBothFamiliesAndNone() throws UnknownHostException {
        assertEquals("10.1.2.255:65535", text(address(new byte[] {10, 1, 2, -1}, 65535)));
        byte[] six = new byte[16];
        six[0] = 0x20;
        six[15] = 1;
        assertEquals("[2000:0:0:0:0:0:0:1]:80", text(address(six, 80)));
        assertEquals("", text(null));
    }

    @Test
    void writesAnAddressThatWasNeverLookedUp() {
        assertEquals("name.invalid:1", text(InetSocketAddress.createUnresolved("name.invalid", 1)));
    }

    @Test
    void keepsTheTextOfAConnectionItKnows() throws UnknownHostException {
        InetSocketAddress remote = address(new byte[] {127, 0, 0, 1}, 4000);
        assertSame(texts.of(remote), texts.of(remote));
    }

    @Test
    void neverMixesConnectionsUpHoweverMany() throws UnknownHostException {
        InetSocketAddress[] remotes = new InetSocketAddress[3 * RemoteTexts.PLACES];
        for (int index = 0; index < remotes.length; index++) {
            remotes[index] = address(new byte[] {127, 0, 0, 1}, index);
        }
        for (int round = 0; round < 3; round++) {
            for (int index = 0; index < remotes.length; index++) {
                assertEquals("127.0.0.1:" + index, text(remotes[index]));
            }
        }
    }

    private String text(InetSocketAddress remote) {
        return new String(texts.of(remote), StandardCharsets.UTF_8);
    }

    private static InetSocketAddress address(byte[] bytes, int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    }
}
