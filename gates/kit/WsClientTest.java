package kit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gates' WebSocket client against servers that are right and wrong on purpose. */
class WsClientTest {
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    private static final String HEAD = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nX-Worker: 2\r\nSec-WebSocket-Accept: ";

    @Test
    void readsFramesOfEveryLength() {
        String long126 = "x".repeat(126);
        String long65536 = "y".repeat(65_536);
        serve("\u0081\u0002hi\u0082\u007e\0\u007e" + long126 + "\u0082\u007f\0\0\0\0\0\1\0\0"
                + long65536 + "\u0089\0\u0088\u0002\u0003\u00e8", client -> {
                    assertEquals(2, client.worker());
                    client.expectText("hi");
                    client.expect(ClientFrames.BINARY, RawClient.bytes(long126));
                    client.expect(ClientFrames.BINARY, RawClient.bytes(long65536));
                    client.expect(ClientFrames.PING, new byte[0]);
                    client.expectClose(1000);
                    client.expectEnd();
                });
    }

    @Test
    void readsAnUnfinishedFrameAsOne() {
        serve("\u0001\u0001a", client -> assertFalse(client.read().fin()));
    }

    @Test
    void seesAnEndWithoutAClose() {
        serve("", client -> assertThrows(AssertionError.class, client::read));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "a mask                   | 81 81 0 0 0 0 41 | a mask",
        "a reserved bit           | c1 0             | first byte",
        "an unknown opcode        | 83 0             | first byte",
        "a length of two bytes    | 82 7e 0 7d       | length 125",
        "a length of eight bytes  | 82 7f 0 0 0 0 0 0 ff ff | length 65535",
        "a fragmented ping        | 9 0              | control",
        "a long ping              | 89 7e 0 7e       | control",
        "a close of one byte      | 88 1 0           | control",
    })
    void refuses(String what, String octets, String words) {
        var text = new StringBuilder();
        for (String octet : octets.trim().split(" ")) {
            text.append((char) Integer.parseInt(octet, 16));
        }
        serve(text.toString(), client -> {
            AssertionError failure = assertThrows(AssertionError.class,
                    () -> client.read(Duration.ofSeconds(10)));
            assertTrue(failure.getMessage().contains(words), failure.getMessage());
        });
    }

    @Test
    void refusesAnAcceptOfAnotherKey() {
        CannedServer.serve(HEAD + ACCEPT + "\r\n\r\n", client ->
                assertThrows(AssertionError.class, () -> WsClient.over(client,
                        "AAAAAAAAAAAAAAAAAAAAAA==")));
    }

    @Test
    void sendsMaskedFramesWithTheShortestLength() {
        byte[] frame = new ClientFrames().binary(new byte[] {1, 2, 3, 4, 5}).bytes();
        assertArrayEquals(new byte[] {(byte) 0x82, (byte) 0x85}, Arrays.copyOf(frame, 2));
        for (int index = 0; index < 5; index++) {
            assertEquals(index + 1, frame[6 + index] ^ frame[2 + index % 4]);
        }
        assertEquals(4 + 4 + 126, new ClientFrames().binary(new byte[126]).bytes().length);
        assertEquals(10 + 4 + 65_536, new ClientFrames().binary(new byte[65_536]).bytes().length);
    }

    private static void serve(String frames, Consumer<WsClient> exchange) {
        CannedServer.serve(HEAD + ACCEPT + "\r\n\r\n" + frames,
                client -> exchange.accept(WsClient.over(client, KEY)));
    }
}
