package m0.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import m0.app.App;
import m0.app.AppHandler;
import m0.http.Request;
import m0.http.Response;
import m0.stream.StreamId;
import org.junit.jupiter.api.Test;

class MountingHandlerTest {
    private static final Response ANSWER = Response.empty(204);
    private static final App APP = context -> request -> ANSWER;
    private static final StreamId STREAM = new StreamId(0, 1, 2);

    private final List<String> seen = new ArrayList<>();
    private final Mounts mounts =
            new Mounts(List.of(new Mount("/x", "a", APP), new Mount("/y", "b", APP)));

    /** Says what it was called for. */
    private final class Told implements AppHandler {
        private final String name;
        private final long tickMs;

        Told(String name, long tickMs) {
            this.name = name;
            this.tickMs = tickMs;
        }

        @Override
        public Response handle(Request request) {
            throw new AssertionError("a loop's instance of a mount handles nothing");
        }

        @Override
        public Response beforeRequest(Request request) {
            seen.add(name + " before " + request.rawPath());
            return ANSWER;
        }

        @Override
        public Response afterResponse(Request request, Response response) {
            seen.add(name + " after " + request.rawPath());
            return response;
        }

        @Override
        public long tickMs() {
            return tickMs;
        }

        @Override
        public void tick(long nowMs) {
            seen.add(name + " tick " + nowMs);
        }

        @Override
        public void streamOpened(StreamId stream, Request request) {
            seen.add(name + " opened");
        }

        @Override
        public void streamClosed(StreamId stream) {
            seen.add(name + " closed stream");
        }

        @Override
        public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
            seen.add(name + " message");
            return false;
        }

        @Override
        public void webSocketClosed(StreamId stream, int code) {
            seen.add(name + " peer closed " + code);
        }

        @Override
        public void peerFrame(String channel, long id, ByteBuffer frame) {
            seen.add(name + " frame " + frame.get());
        }

        @Override
        public void close() {
            seen.add(name + " close");
            throw new IllegalStateException(name);
        }
    }

    private MountingHandler handler(boolean loopRoutes, long first, long second, long setting) {
        return new MountingHandler(mounts, List.of(new Told("a", first), new Told("b", second)),
                loopRoutes, setting);
    }

    private static Request get(String target) {
        return Asked.request("GET " + target + " HTTP/1.1");
    }

    @Test
    void eachMountSeesTheRequestsUnderItsPrefixAlone() {
        MountingHandler handler = handler(true, 0, 0, 0);
        assertSame(ANSWER, handler.beforeRequest(get("/y/1")));
        assertSame(ANSWER, handler.beforeRequest(get("/x")));
        assertNull(handler.beforeRequest(get("/xapp")));
        assertSame(ANSWER, handler.afterResponse(get("/y/2"), ANSWER));
        assertSame(ANSWER, handler.afterResponse(get("/other"), ANSWER));
        assertEquals(List.of("b before /y/1", "a before /x", "b after /y/2"), seen);
    }

    @Test
    void withoutLoopRoutesNoMountAnswersOnTheLoop() {
        MountingHandler handler = handler(false, 0, 0, 0);
        assertNull(handler.beforeRequest(get("/x")));
        assertEquals(List.of(), seen);
        assertThrows(IllegalStateException.class, () -> handler.handle(get("/x")));
    }

    @Test
    void aStreamIsTheMountsThatOpenedIt() {
        MountingHandler handler = handler(true, 0, 0, 0);
        handler.streamOpened(STREAM, get("/y/events"));
        assertEquals(false, handler.webSocketMessage(STREAM, 1, ByteBuffer.allocate(0)));
        handler.webSocketClosed(STREAM, 1000);
        handler.streamClosed(STREAM);
        handler.streamClosed(STREAM);
        assertTrue(handler.webSocketMessage(STREAM, 1, ByteBuffer.allocate(0)));
        assertEquals(List.of("b opened", "b message", "b peer closed 1000", "b closed stream"),
                seen);
    }

    @Test
    void framesAreEverybodysFromTheirBeginning() {
        handler(true, 0, 0, 0).peerFrame("c", 1, ByteBuffer.wrap(new byte[] {7, 8}));
        assertEquals(List.of("a frame 7", "b frame 7"), seen);
    }

    @Test
    void eachIsTickedAtItsOwnInterval() {
        MountingHandler handler = handler(true, 100, 250, 0);
        assertEquals(100, handler.tickMs());
        for (long now = 1000; now <= 1300; now += 100) {
            handler.tick(now);
        }
        assertEquals(List.of("a tick 1000", "b tick 1000", "a tick 1100", "a tick 1200",
                "a tick 1300", "b tick 1300"), seen);
    }

    /** The host's ticks are due every 100 ms and come up to 2 ms late. */
    @Test
    void aTickThatIsLessLateThanTheLastIsNotPassedOver() {
        MountingHandler handler = handler(true, 100, 300, 0);
        for (int tick = 0; tick < 10; tick++) {
            handler.tick(1000 + 100 * tick + (10 - tick) % 3);
        }
        assertEquals(10, seen.stream().filter(what -> what.startsWith("a tick")).count(),
                () -> "ticks of one that wants each: " + seen);
        assertEquals(4, seen.stream().filter(what -> what.startsWith("b tick")).count(),
                () -> "ticks of one that wants every third: " + seen);
    }

    @Test
    void ticksThatWereMissedAreNotMadeUpFor() {
        MountingHandler handler = handler(true, 100, 0, 0);
        for (long now : new long[] {1000, 1450, 1460, 1550}) {
            handler.tick(now);
        }
        assertEquals(List.of("a tick 1000", "a tick 1450", "a tick 1550"), seen);
    }

    /** What one throws is told when all have had theirs. */
    @Test
    void oneThatThrowsKeepsNobodyFromTicksAndFrames() {
        AppHandler broken = new AppHandler() {
            @Override
            public Response handle(Request request) {
                throw new AssertionError("it handles nothing");
            }

            @Override
            public long tickMs() {
                return 100;
            }

            @Override
            public void tick(long nowMs) {
                throw new IllegalStateException("tick");
            }

            @Override
            public void peerFrame(String channel, long id, ByteBuffer frame) {
                throw new IllegalStateException("frame");
            }
        };
        MountingHandler handler = new MountingHandler(mounts,
                List.of(broken, new Told("b", 100)), true, 0);
        for (long now = 1000; now <= 1100; now += 100) {
            long at = now;
            assertEquals("tick", assertThrows(IllegalStateException.class,
                    () -> handler.tick(at)).getMessage());
        }
        assertEquals("frame", assertThrows(IllegalStateException.class, () -> handler.peerFrame(
                "c", 1, ByteBuffer.wrap(new byte[] {7}))).getMessage());
        assertEquals(List.of("b tick 1000", "b tick 1100", "b frame 7"), seen);
    }

    @Test
    void whoNamesNoIntervalHasTheSettings() {
        assertEquals(0, handler(true, 0, 0, 0).tickMs());
        assertEquals(50, handler(true, 0, 200, 50).tickMs());
        MountingHandler one = handler(true, 0, 100, 0);
        one.tick(5);
        assertEquals(List.of("b tick 5"), seen);
    }

    @Test
    void allAreClosedWhateverOneOfThemThrows() {
        MountingHandler handler = handler(true, 0, 0, 0);
        assertEquals("a", assertThrows(IllegalStateException.class, handler::close).getMessage());
        assertEquals(List.of("a close", "b close"), seen);
    }
}
