package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Section B: what is not a request is refused, never reaches the application, and takes what was
 * sent behind it along.
 *
 * <p>The inputs stand in {@code hostile-bytes.md}, their well-formed neighbours in
 * {@code strict-but-served.md}.
 */
@Gate
class HostileBytesGate {

    /** An input that leaves the server waiting must not cost each row the usual bound. */
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(8);
    private static final String BEHIND = "GET /instance HTTP/1.1\r\nHost: a\r\n\r\n";

    private static ServerProcess server;
    private static RawClient witness;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("host_check").set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
        witness = RawClient.connect(server);
    }

    static List<WireTable.Row> hostile() {
        return WireTable.read("hostile-bytes.md", 100);
    }

    static List<WireTable.Row> served() {
        return WireTable.read("strict-but-served.md", 20);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostile")
    void isRefusedWithItsStatus(WireTable.Row row) {
        int before = Instance.count(witness);
        try (RawClient client = RawClient.connect(server)) {
            client.send(row.bytes());
            client.read("GET", ANSWER_BOUND).expect(row.status()).expectClose();
            client.expectEnd();
        } catch (AssertionError failure) {
            throw new AssertionError(row + ": " + failure.getMessage(), failure);
        }
        assertEquals(before + 1, Instance.count(witness), row + ": runs of the handler");
    }

    /** One method for all rows, which ends with the first that fails. */
    @Test
    void takesWhatIsBehindItAlong() {
        for (WireTable.Row row : hostile()) {
            int before = Instance.count(witness);
            try (RawClient client = RawClient.connect(server)) {
                client.send(row.bytes() + BEHIND.repeat(2));
                client.read("GET", ANSWER_BOUND).expectClose();
                client.readUntilClosed(ANSWER_BOUND).expectNothing();
            } catch (AssertionError failure) {
                throw new AssertionError(row + ": " + failure.getMessage(), failure);
            }
            assertEquals(before + 1, Instance.count(witness), row + ": runs of the handler");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("served")
    void isServedAndLeavesTheConnectionOpen(WireTable.Row row) {
        int before = Instance.count(witness);
        try (RawClient client = RawClient.connect(server)) {
            client.send(row.bytes() + BEHIND);
            client.read().expect(row.status()).expectOpen();
            client.read().expect(200).expectOpen();
        } catch (AssertionError failure) {
            throw new AssertionError(row + ": " + failure.getMessage(), failure);
        }
        assertEquals(before + 3, Instance.count(witness), row + ": runs of the handler");
    }
}
