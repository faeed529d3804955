package seen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** F101: a loop that is held is named while it is held, with the stack of what holds it. */
@Gate
class StallGate {

    private static final String SAID = "has been inside one pass for";
    private static final Pattern HELD =
            Pattern.compile("host: loop=0 has been inside one pass for ([0-9]+) ms ");
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void aHeldLoopIsNamedWithItsStackWhileItIsHeld() {
        try (ServerProcess server = watched(500); RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=5000 HTTP/1.1\r\nHost: a\r\n\r\n");
            server.awaitStderr(SAID, Duration.ofSeconds(4));
            assertTrue(!client.hasBytes(), "the loop was named after it was held, not during");
            Matcher held = HELD.matcher(server.stderr());
            assertTrue(held.find(), server.stderr());
            long ms = Long.parseLong(held.group(1));
            assertTrue(ms >= 500, "named after " + ms + " ms, before the limit");
            Figures.add(StallGate.class, "a held loop named after", ms, "ms", 4000);
            server.awaitStderr("host_check.HostCheckHandler.slow", SOON);
            client.read().expect(200);
        }
    }

    @Test
    void itIsSaidOnceAMinuteHoweverOften() {
        try (ServerProcess server = watched(300); RawClient client = RawClient.connect(server)) {
            for (int count = 0; count < 4; count++) {
                client.get("/slow?ms=1200").expect(200);
            }
            assertEquals(1, server.stderrLinesWith(SAID), server.stderr());
        }
    }

    @Test
    void aPassBelowTheLimitAndAParkedLoopAreNotNamed() {
        try (ServerProcess server = watched(2000); RawClient client = RawClient.connect(server)) {
            client.get("/slow?ms=300").expect(200);
            client.get("/slow?ms=300").expect(200);
            ServerProcess.pause(3000);
            assertEquals(0, server.stderrLinesWith(SAID), server.stderr());
        }
    }

    @Test
    void zeroTurnsItOff() {
        try (ServerProcess server = watched(0); RawClient client = RawClient.connect(server)) {
            client.get("/slow?ms=2000").expect(200);
            assertEquals(0, server.stderrLinesWith(SAID), server.stderr());
        }
    }

    private static ServerProcess watched(int limitMs) {
        return ServerProcess.app("host_check").args("--loop-stall-ms", String.valueOf(limitMs))
                .start();
    }
}
