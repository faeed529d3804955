package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import m0.app.AppHandler;
import m0.http.ChunkSource;
import m0.http.Request;
import m0.http.Response;
import org.junit.jupiter.api.Test;

/** What a pool thread makes of its handler's answer. */
class PoolLaneAnswerTest {
    private final Source source = new Source();
    private final Response chunks = Response.status(200).chunks(source).build();

    private static final class Source implements ChunkSource {
        private int closed;

        @Override
        public boolean next(ByteBuffer into) {
            return false;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    /** Answers with one, and sees it as another. */
    private record Swap(Response given, Response seen) implements AppHandler {
        @Override
        public Response handle(Request request) {
            return given;
        }

        @Override
        public Response afterResponse(Request request, Response response) {
            if (seen == null) {
                throw new IllegalStateException("as asked");
            }
            return seen;
        }
    }

    private static JobHandler handler(Response given, Response seen) throws Exception {
        return new PoolLane(context -> new Swap(given, seen), thread -> null).make(0);
    }

    @Test
    void theSameInstanceSeesItsAnswer() throws Exception {
        Response seen = Response.text(200, "seen");
        assertSame(seen, handler(Response.text(200, "given"), seen).answer(null, null));
    }

    @Test
    void aDeferredAnswerIsSeenWhenItIsGiven() throws Exception {
        Response deferred = Response.deferred();
        assertSame(deferred, handler(deferred, Response.text(200, "too early")).answer(null, null));
    }

    @Test
    void whoSeesAnAnswerCannotDeferIt() throws Exception {
        JobHandler handler = handler(Response.text(200, "given"), Response.deferred());
        assertThrows(IllegalStateException.class, () -> handler.answer(null, null));
    }

    @Test
    void chunksThatAreReplacedAreClosed() throws Exception {
        handler(chunks, Response.text(200, "instead")).answer(null, null);
        assertEquals(1, source.closed);
    }

    @Test
    void chunksOfAnAnswerWhoseSightThrowsAreClosed() throws Exception {
        JobHandler handler = handler(chunks, null);
        assertThrows(IllegalStateException.class, () -> handler.answer(null, null));
        assertEquals(1, source.closed);
    }

    @Test
    void chunksThatGoOnStayOpen() throws Exception {
        handler(chunks, chunks.toBuilder().header("X-Seen", "1").build()).answer(null, null);
        assertEquals(0, source.closed);
    }
}
