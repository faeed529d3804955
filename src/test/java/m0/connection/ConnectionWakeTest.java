package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import m0.http.ChunkSource;
import m0.http.Request;
import m0.http.Response;
import m0.loop.ReadyWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Sources that say themselves when they have something. */
class ConnectionWakeTest {
    private static final long ROUNDS_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final List<Pipe> pipes = new ArrayList<>();
    private final Bench bench = new Bench(this::answer);
    private final ScriptedTransport peer = new ScriptedTransport();
    private final ReadyWork connection = bench.admit(peer);

    /** Gives what others put into it. */
    private static final class Pipe implements ChunkSource {
        private final Queue<String> waiting = new ConcurrentLinkedQueue<>();
        private volatile boolean ended;
        private Runnable wake;
        private int asked;
        private int closed;
        /** Run while it finds that it has nothing, as another thread may come just then. */
        private Runnable meanwhile = () -> { };

        @Override
        public boolean wakesBy(Runnable wakes) {
            assertEquals(0, asked, "asked before");
            assertEquals(null, wake, "told twice");
            wake = wakes;
            return true;
        }

        @Override
        public boolean next(ByteBuffer into) {
            asked++;
            boolean last = ended;
            String text = waiting.poll();
            if (text == null) {
                meanwhile.run();
                return !last;
            }
            into.put(text.getBytes());
            return true;
        }

        private void put(String text) {
            waiting.add(text);
            wake.run();
        }

        private void end() {
            ended = true;
            wake.run();
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private Response answer(Request request) {
        if (request.pathIs("/now")) {
            return Response.text(200, "now");
        }
        Pipe pipe = new Pipe();
        pipes.add(pipe);
        return Response.status(200).chunks(pipe).build();
    }

    private Pipe open() {
        peer.send(ConnectionAnswersTest.get("/pipe"));
        bench.run(connection, peer);
        peer.takeWritten();
        return pipes.get(pipes.size() - 1);
    }

    private String delivered() {
        bench.deliver();
        bench.run(connection, peer);
        return peer.takeWritten();
    }

    @Test
    void isAskedOnceAndThenNotBeforeItSaysSo() {
        Pipe pipe = open();
        assertEquals(1, pipe.asked);
        bench.advanceMs(5_000);
        assertEquals(1, pipe.asked, "it was asked again all the same");
        assertFalse(bench.connections.hasMail());
        pipe.put("one");
        assertTrue(bench.connections.hasMail(), "the loop would wait beside it");
        assertEquals("3\r\none\r\n", delivered());
        assertFalse(bench.connections.hasMail());
        pipe.end();
        assertEquals("0\r\n\r\n", delivered());
        assertEquals(1, pipe.closed);
        peer.send(ConnectionAnswersTest.get("/now"));
        bench.run(connection, peer);
        assertTrue(peer.takeWritten().endsWith("now"));
    }

    @Test
    void howOftenItSaysSoItIsAskedAsOftenAsTheLoopComesBy() {
        Pipe pipe = open();
        for (int time = 0; time < 1000; time++) {
            pipe.wake.run();
        }
        bench.deliver();
        assertEquals(2, pipe.asked, "one entry, however often");
        assertFalse(bench.connections.hasMail());
    }

    /** Between its look and its return something comes: that is said, and must not be lost. */
    @Test
    void whatComesWhileItIsAskedInVainIsNotLost() {
        Pipe pipe = open();
        pipe.meanwhile = () -> {
            pipe.meanwhile = () -> { };
            pipe.put("just now");
        };
        pipe.wake.run();
        assertEquals("8\r\njust now\r\n", delivered(), "what came meanwhile");
    }

    @Test
    void whatIsSaidWhileTheSocketIsFullIsFoundWhenItIsNot() {
        Pipe pipe = open();
        peer.room = 2;
        pipe.put("one");
        assertEquals("3\r", delivered());
        pipe.put("two");
        assertEquals("", delivered());
        peer.room = Long.MAX_VALUE;
        assertEquals("\none\r\n3\r\ntwo\r\n", delivered());
    }

    @Test
    void whatItSaysBehindTheEndOfItsConnectionIsDropped() {
        Pipe pipe = open();
        pipe.wake.run();
        peer.readFails = true;
        bench.run(connection, peer);
        assertEquals(1, pipe.closed);
        bench.deliver();
        assertEquals(1, pipe.asked, "asked behind its end");
        pipe.put("for nobody");
        assertFalse(bench.connections.hasMail(), "a source that has ended still wakes the loop");
        assertEquals("", delivered());
        assertEquals(0, bench.connections.live());
    }

    /** The same connection has another source by then. */
    @Test
    void whatItSaysBehindItsOwnEndReachesNoOther() {
        Pipe first = open();
        first.end();
        delivered();
        Pipe second = open();
        first.put("stale");
        bench.deliver();
        assertEquals(1, second.asked, "it was asked because another spoke");
        second.put("mine");
        assertEquals("4\r\nmine\r\n", delivered());
    }

    @Test
    void manyAreAskedInTheOrderInWhichTheySpoke() {
        List<ScriptedTransport> transports = new ArrayList<>();
        List<String> order = new ArrayList<>();
        for (int index = 0; index < 5; index++) {
            ScriptedTransport other = new ScriptedTransport();
            transports.add(other);
            other.send(ConnectionAnswersTest.get("/pipe"));
            bench.run(bench.admit(other), other);
            String name = "pipe " + index;
            pipes.get(index).meanwhile = () -> order.add(name);
        }
        for (int index : new int[] {3, 0, 4, 1, 2}) {
            pipes.get(index).wake.run();
        }
        bench.deliver();
        assertEquals(List.of("pipe 3", "pipe 0", "pipe 4", "pipe 1", "pipe 2"), order);
    }

    @Test
    void aTurnIsBounded() {
        for (int index = 0; index < 300; index++) {
            ScriptedTransport other = new ScriptedTransport();
            other.send(ConnectionAnswersTest.get("/pipe"));
            bench.run(bench.admit(other), other);
        }
        pipes.forEach(pipe -> pipe.wake.run());
        assertTrue(bench.connections.runMail(), "all were asked in one turn");
        assertFalse(bench.connections.runMail());
        pipes.forEach(pipe -> assertEquals(2, pipe.asked));
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void nothingIsLostBetweenThreads() throws Exception {
        Pipe pipe = open();
        int rounds = 50_000;
        AtomicInteger put = new AtomicInteger();
        Thread writer = new Thread(() -> {
            long sinceNs = System.nanoTime();
            // Where both have one processor between them, each turn takes as long as a thousand.
            while (put.get() < rounds && System.nanoTime() - sinceNs < ROUNDS_NS_MAX) {
                pipe.put("x");
                // The loop is to ask in vain now and then.
                while (put.get() % 8 == 0 && !pipe.waiting.isEmpty()) {
                    Thread.onSpinWait();
                }
                put.incrementAndGet();
            }
            pipe.end();
        });
        writer.start();
        StringBuilder wire = new StringBuilder();
        while (pipe.closed == 0) {
            if (bench.connections.hasMail()) {
                bench.deliver();
                bench.run(connection, peer);
                wire.append(peer.takeWritten());
            }
        }
        writer.join();
        assertEquals(put.get(), wire.chars().filter(c -> c == 'x').count());
    }
}
