package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import m0.http.ChunkSource;
import m0.http.Response;
import m0.loop.WaitingLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompletionsTest {
    private static final int CONNECTIONS_MAX = 5;

    private final WaitingLoop loop = new WaitingLoop();
    private final Completions completions = new Completions(CONNECTIONS_MAX, loop.waker());

    CompletionsTest() throws IOException { }

    @AfterEach
    void close() throws IOException {
        loop.close();
    }

    @Test
    void aJobThatComesBackWakesItsLoop() {
        completions.open();
        loop.waitFromNow();
        assertTrue(loop.isWaiting());
        Job job = new Job(3);
        completions.push(job);
        assertFalse(loop.isWaiting(), "the loop waits beside a job that has come back");
        assertFalse(completions.isEmpty());
        assertSame(job, completions.poll());
        assertNull(completions.poll());
        assertTrue(completions.isEmpty());
    }

    @Test
    void asManyComeBackAsThereAreConnections() {
        completions.open();
        for (int slot = 0; slot < CONNECTIONS_MAX; slot++) {
            completions.push(new Job(slot));
        }
        for (int slot = 0; slot < CONNECTIONS_MAX; slot++) {
            assertEquals(slot, completions.poll().slot(), "in the order of their coming");
        }
    }

    /** Whoever writes the body, or is to give it later, learns that nobody sends it. */
    @Test
    void whatComesBackBehindTheLoopsEndIsDropped() {
        completions.open();
        List<String> seen = new ArrayList<>();
        completions.push(answered(0, chunks(seen, "in the queue")));
        Response later = Response.deferred();
        later.deferral().whenGone(() -> {
            seen.add("gone");
            throw new IllegalStateException("thrown");
        });
        completions.push(answered(1, later));
        completions.push(new Job(2));
        completions.end(thrown -> seen.add(thrown.getMessage()));
        assertEquals(List.of("in the queue", "gone", "thrown"), seen);
        completions.push(answered(0, chunks(seen, "behind it")));
        Response given = Response.deferred();
        assertTrue(given.deferral().complete(chunks(seen, "given before")));
        completions.push(answered(1, given));
        assertEquals(List.of("in the queue", "gone", "thrown", "behind it", "given before"), seen);
        assertTrue(completions.isEmpty());
    }

    private static Job answered(int slot, Response response) {
        Job job = new Job(slot);
        job.answered(response);
        return job;
    }

    private static Response chunks(List<String> seen, String name) {
        return Response.status(200).chunks(new ChunkSource() {
            @Override
            public boolean next(ByteBuffer into) {
                throw new AssertionError("nobody sends it");
            }

            @Override
            public void close() {
                seen.add(name);
            }
        }).build();
    }

    @Test
    void beforeTheFirstJobThereAreNone() {
        assertTrue(completions.isEmpty());
        assertNull(completions.poll());
    }
}
