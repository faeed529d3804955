package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.app.HostContext;
import m0.http.Request;
import m0.http.Response;
import org.junit.jupiter.api.Test;

/** H2, H6: what of an application runs on a pool thread, and on which instance. */
class PoolLaneTest {
    private static final Response OK = Response.text(200, "ok");
    private static final Response OTHER = Response.text(200, "other");

    private final List<String> calls = new ArrayList<>();

    /** Tells each call with the thread its instance was made for. */
    private class Telling implements AppHandler {
        final HostContext context;

        Telling(HostContext context) {
            this.context = context;
        }

        private void tell(String call) {
            calls.add(call + " on " + context.thread());
        }

        @Override
        public Response beforeRequest(Request request) {
            tell("beforeRequest");
            return OK;
        }

        @Override
        public Response handle(Request request) throws Exception {
            tell("handle");
            return OK;
        }

        @Override
        public Response afterResponse(Request request, Response response) {
            assertSame(OK, response);
            tell("afterResponse");
            return OTHER;
        }

        @Override
        public void close() {
            tell("close");
        }
    }

    @Test
    void handlesAndSeesTheAnswerOnTheInstanceOfItsThread() throws Exception {
        PoolLane lane = new PoolLane(Telling::new, PoolLaneTest::context);
        JobHandler first = lane.make(0);
        JobHandler second = lane.make(1);
        assertSame(OTHER, second.answer(null, null));
        assertSame(OTHER, first.answer(null, null));
        second.close();
        assertEquals(List.of("handle on 1", "afterResponse on 1", "handle on 0",
                "afterResponse on 0", "close on 1"), calls);
    }

    @Test
    void noAnswerIsNotShownToAfterResponse() throws Exception {
        App silent = context -> new Telling(context) {
            @Override
            public Response handle(Request request) {
                return null;
            }
        };
        assertNull(new PoolLane(silent, PoolLaneTest::context).make(0).answer(null, null));
        assertEquals(List.of(), calls);
    }

    @Test
    void aThrowingMakeThrows() {
        App refusing = context -> {
            throw new IllegalStateException("no database");
        };
        PoolLane lane = new PoolLane(refusing, PoolLaneTest::context);
        assertEquals("no database",
                assertThrows(IllegalStateException.class, () -> lane.make(0)).getMessage());
    }

    @Test
    void noHandlerIsNoHandler() throws Exception {
        assertNull(new PoolLane(context -> null, PoolLaneTest::context).make(0));
    }

    private static HostContext context(int thread) {
        return new FakeHostContext(0, 1, thread);
    }
}
