package wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A1: nothing waits for the peer's acknowledgement. With Nagle's algorithm the second small piece
 * of an answer stays until the first is acknowledged, which a quiet client does after 40 ms.
 */
@Gate
@Isolated("it measures time")
class NoDelayGate {

    @Test
    void anAnswerInTwoPiecesDoesNotWaitForAnAcknowledgement() {
        // The best of some: Nagle's algorithm waits each time.
        double median = Rounds.least(20, NoDelayGate::medianMs);
        Figures.add(NoDelayGate.class, "median of an answer in two pieces", median, "ms", 20);
        assertTrue(median < 20, "the median of an answer in two pieces is " + median + " ms");
    }

    private static double medianMs() {
        double[] milliseconds = new double[41];
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient client = RawClient.connect(server)) {
            // A file's head and its bytes leave in two calls.
            client.get("/file?bytes=100").expect(200);
            for (int index = 0; index < milliseconds.length; index++) {
                long sinceNs = System.nanoTime();
                client.get("/file?bytes=100").expect(200);
                milliseconds[index] = (System.nanoTime() - sinceNs) / 1e6;
            }
        }
        Arrays.sort(milliseconds);
        return milliseconds[milliseconds.length / 2];
    }
}
