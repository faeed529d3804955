package m0.connection;

import static m0.connection.ConnectionAnswersTest.get;
import static m0.connection.ConnectionAnswersTest.statuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import m0.app.AnsweredFailure;
import m0.app.AppHandler;
import m0.http.Request;
import m0.http.Response;
import m0.loop.ReadyWork;
import m0.loop.Waker;
import m0.pool.Completions;
import m0.pool.Lanes;
import m0.pool.ScriptedLane;
import org.junit.jupiter.api.Test;

/** What is answered where the application throws and says with what. */
class ConnectionFailureTest {
    private final SteppedClock clock = new SteppedClock();
    private final Completions completions = new Completions(1000, new Waker());
    private final ScriptedLane lane = new ScriptedLane(completions, () -> clock.nowNs);
    private final ScriptedTransport peer = new ScriptedTransport();

    private static AnsweredFailure failure() {
        return new AnsweredFailure(Response.text(503, "its own words\n"),
                new IllegalStateException("as asked"));
    }

    /** Throws before the lane is asked where that is asked for, otherwise where it handles. */
    private static final class Throwing implements AppHandler {
        @Override
        public Response beforeRequest(Request request) {
            if (request.pathIs("/before")) {
                throw failure();
            }
            return null;
        }

        @Override
        public Response handle(Request request) {
            throw failure();
        }
    }

    private void assertSaidItsOwnWords(String wire, String path, Bench bench) {
        assertEquals(List.of("503"), statuses(wire), wire);
        assertTrue(wire.endsWith("\r\n\r\nits own words\n"), wire);
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertEquals(List.of("GET " + path + " as asked"), bench.failures);
    }

    @Test
    void onTheLoop() {
        for (String path : List.of("/before", "/handle")) {
            var bench = new Bench(new Throwing());
            var client = new ScriptedTransport();
            ReadyWork connection = bench.admit(client);
            client.send(get(path) + get("/behind"));
            bench.run(connection, client);
            assertSaidItsOwnWords(client.takeWritten(), path, bench);
        }
    }

    @Test
    void onALane() {
        var bench = new Bench(ConnectionConfig.DEFAULT, new Throwing(), clock,
                new Lanes(request -> 0, List.of(lane), completions));
        ReadyWork connection = bench.admit(peer);
        peer.send(get("/a") + get("/behind"));
        bench.run(connection, peer);
        lane.fail(lane.take(0), failure());
        bench.deliver();
        bench.run(connection, peer);
        assertSaidItsOwnWords(peer.takeWritten(), "/a", bench);
    }
}
