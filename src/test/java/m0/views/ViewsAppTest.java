package m0.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.app.HostContext;
import m0.app.Producer;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Requests;
import m0.stream.StreamId;
import org.junit.jupiter.api.Test;

class ViewsAppTest {
    private static final StreamId STREAM = new StreamId(0, 7, 1);

    private static Views<ToyReading, Toy> table() {
        return new Views<ToyReading, Toy>()
                .addRead("index", Method.GET, "/", Toy.says("index"))
                .addWrite("add", Method.POST, "/add", Toy::added)
                .addWriteOnLoop("add-on-loop", Method.POST, "/add-on-loop", Toy::added);
    }

    /** Answers everything but what it answers by default, and keeps what it is told. */
    private static final class Everything implements ViewState<Toy> {
        private static final Producer PRODUCER = () -> 1;

        private final List<String> told = new ArrayList<>();
        private String prefix;

        @Override
        public Toy make(Mount at, HostContext context) {
            prefix = at.prefix();
            return new Toy();
        }

        @Override
        public Producer producer(HostContext context) {
            return PRODUCER;
        }

        @Override
        public int maxWorkers() {
            return 3;
        }

        @Override
        public int maxThreads() {
            return 2;
        }

        @Override
        public int pageSlots(int loops) {
            return 10 * loops;
        }

        @Override
        public boolean poolAllowed() {
            return false;
        }

        @Override
        public boolean handlerShared() {
            return true;
        }

        @Override
        public Set<String> settings() {
            return Set.of("M0_TOY");
        }

        @Override
        public Response afterResponse(Toy toy, Request request, Response response) {
            return response.toBuilder().header("X-Count", String.valueOf(toy.count())).build();
        }

        @Override
        public long tickMs(Toy toy) {
            return 250;
        }

        @Override
        public void tick(Toy toy, long nowMs) {
            told.add("tick " + nowMs + " " + toy.add());
        }

        @Override
        public void streamOpened(Toy toy, StreamId stream, Request request) {
            told.add("opened " + stream.slot() + " " + request.rawPath() + " " + toy.add());
        }

        @Override
        public void streamClosed(Toy toy, StreamId stream) {
            told.add("closed " + stream.slot() + " " + toy.add());
        }

        @Override
        public boolean webSocketMessage(Toy toy, StreamId stream, int opcode,
                ByteBuffer payload) {
            told.add("message " + stream.slot() + " " + opcode + " " + payload.remaining() + " "
                    + toy.add());
            return false;
        }

        @Override
        public void webSocketClosed(Toy toy, StreamId stream, int code) {
            told.add("socket closed " + stream.slot() + " " + code + " " + toy.add());
        }

        @Override
        public void peerFrame(Toy toy, String channel, long id, ByteBuffer frame) {
            told.add("frame " + channel + " " + id + " " + frame.remaining() + " " + toy.add());
        }

        @Override
        public void close(Toy toy) {
            told.add("close " + toy.add());
        }
    }

    private final Everything states = new Everything();
    private final App app = new ViewsApp<>(table(), states, "/x");

    @Test
    void whatTheStateLimitsReachesTheHost() throws Exception {
        assertEquals(3, app.maxWorkers(), "maxWorkers");
        assertEquals(2, app.maxThreads(), "maxThreads");
        assertEquals(40, app.pageSlots(4), "pageSlots");
        assertFalse(app.poolAllowed(), "poolAllowed");
        assertTrue(app.handlerShared(), "handlerShared");
        assertEquals(Set.of("M0_TOY"), app.settings(), "settings");
        assertSame(Everything.PRODUCER, app.producer(new FakeHostContext()));
    }

    @Test
    void whatTheStateLeavesIsWhatAnApplicationLeaves() throws Exception {
        App plain = new ViewsApp<>(table(), (at, context) -> new Toy());
        assertEquals(0, plain.maxWorkers());
        assertEquals(0, plain.maxThreads());
        assertEquals(0, plain.pageSlots(4));
        assertTrue(plain.poolAllowed());
        assertFalse(plain.handlerShared());
        assertEquals(Set.of(), plain.settings());
        assertNull(plain.producer(new FakeHostContext()));
        AppHandler handler = plain.make(new FakeHostContext());
        assertEquals(0, handler.tickMs());
        assertTrue(handler.webSocketMessage(STREAM, 1, ByteBuffer.allocate(1)));
        Response answer = Response.empty(204);
        assertSame(answer, handler.afterResponse(Requests.get("/"), answer));
    }

    /** Who limits workers to one limits loops and lanes with it. */
    @Test
    void oneWorkerIsOneLoopAndNoLane() {
        App one = new ViewsApp<>(table(), new ViewState<Toy>() {
            @Override
            public Toy make(Mount at, HostContext context) {
                return new Toy();
            }

            @Override
            public int maxWorkers() {
                return 1;
            }
        });
        assertEquals(1, one.maxThreads());
        assertFalse(one.poolAllowed());
    }

    @Test
    void hooksReachTheirHandlersState() throws Exception {
        AppHandler handler = app.make(new FakeHostContext());
        assertEquals(250, handler.tickMs());
        handler.tick(5000);
        handler.streamOpened(STREAM, Requests.get("/x/s"));
        assertFalse(handler.webSocketMessage(STREAM, 2, ByteBuffer.allocate(3)));
        handler.webSocketClosed(STREAM, 1001);
        handler.streamClosed(STREAM);
        handler.peerFrame("c", 9, ByteBuffer.allocate(4));
        handler.close();
        assertEquals(List.of("tick 5000 1", "opened 7 /x/s 2", "message 7 2 3 3",
                "socket closed 7 1001 4", "closed 7 5", "frame c 9 4 6", "close 7"), states.told);
        assertEquals("7", handler.afterResponse(Requests.get("/x"), Response.empty(204))
                .field("X-Count"));
    }

    @Test
    void eachHandlerHasAStateOfItsOwn() throws Exception {
        AppHandler one = app.make(new FakeHostContext());
        AppHandler two = app.make(new FakeHostContext());
        Request request = Requests.of("POST", "/x/add", "");
        assertEquals("count=1", Toy.text(one.handle(request)));
        assertEquals("count=2", Toy.text(one.handle(request)));
        assertEquals("count=1", Toy.text(two.handle(request)));
    }

    @Test
    void theLoopAnswersItsRoutesBeforeTheLaneIsAsked() throws Exception {
        AppHandler handler = app.make(new FakeHostContext());
        assertNull(handler.beforeRequest(Requests.of("POST", "/x/add", "")));
        assertEquals("count=1", Toy.text(
                handler.beforeRequest(Requests.of("POST", "/x/add-on-loop", ""))));
    }

    @Test
    void itsPrefixIsTheMountsOrWhereThereIsNoneItsOwn() throws Exception {
        AppHandler alone = app.make(new FakeHostContext());
        assertEquals("/x", states.prefix);
        assertEquals("index", Toy.text(alone.handle(Requests.get("/x"))));
        AppHandler mounted = app.make(new FakeHostContext().withPrefix("/y"));
        assertEquals("/y", states.prefix);
        assertEquals("index", Toy.text(mounted.handle(Requests.get("/y"))));
        assertEquals(404, mounted.handle(Requests.get("/x")).status());
        AppHandler root = new ViewsApp<>(table(), states).make(new FakeHostContext());
        assertEquals("index", Toy.text(root.handle(Requests.get("/"))));
    }

    @Test
    void whatIsNoPrefixIsRefusedWhenItIsGiven() {
        assertThrows(IllegalArgumentException.class, () -> new ViewsApp<>(table(), states, "x/"));
    }
}
