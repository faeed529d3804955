package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import m0.app.AppHandler;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.http.Deferred;
import m0.http.Limits;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.loop.ReadyWork;
import m0.loop.Waker;
import m0.pool.Completions;
import m0.pool.Job;
import m0.pool.JobHandler;
import m0.pool.Lanes;
import m0.pool.ScriptedLane;
import org.junit.jupiter.api.Test;

/**
 * Requests for the loop, for two lanes and for answers that come later, in every order that chance
 * brings, beside peers that stall, close, vanish and pipeline.
 *
 * <p>What holds whatever happens: each request is answered at most once, in order, by its own answer;
 * nothing follows an answer that says {@code close}; whoever may still be answered is; a request
 * stays as it is until its job is back; chunks are closed once; and in the end no slot is taken and
 * no memory is held.
 */
class LaneFuzzTest {
    private static final int BENCHES = 16;
    private static final int ROUNDS = 40;
    private static final int STEPS = 60;
    private static final int CONNECTIONS_MAX = 5;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long SEED = 20_261_129L;

    /** What one peer has asked, and what it was told. */
    private static final class Peer {
        final ScriptedTransport transport = new ScriptedTransport();
        final StringBuilder wire = new StringBuilder();
        final ArrayDeque<byte[]> unsent = new ArrayDeque<>();
        /** The requests in order, by method and number. */
        final List<String> asked = new ArrayList<>();
        final List<Boolean> heads = new ArrayList<>();
        ReadyWork connection;
        boolean faulty;
        boolean ended;
    }

    /** A source that gives its number, perhaps not at once, and perhaps says when it has it. */
    private final class Source implements ChunkSource {
        private final String text;
        private final boolean waking = random.nextBoolean();
        private int nothings;
        private Runnable wake;
        private boolean vain;
        private boolean closed;

        private Source(String text, int nothings) {
            this.text = text;
            this.nothings = nothings;
            sources.add(this);
        }

        @Override
        public boolean wakesBy(Runnable wakes) {
            wake = waking ? wakes : null;
            return waking;
        }

        /** Something happens with it, in any thread, behind its end too. */
        private void stir() {
            if (wake != null) {
                vain = false;
                wake.run();
            }
        }

        @Override
        public boolean next(ByteBuffer into) {
            assertFalse(closed, "asked after its end");
            assertFalse(vain, "asked though it has not said that it has something");
            if (nothings-- > 0) {
                vain = waking;
                if (vain && random.nextInt(4) == 0) {
                    stir();
                }
                return true;
            }
            into.put(text.getBytes(StandardCharsets.US_ASCII));
            return false;
        }

        @Override
        public void close() {
            assertFalse(closed, "closed twice");
            closed = true;
        }
    }

    /** A job that a thread has, and what its request said when it took it. */
    private record Taken(ScriptedLane lane, Job job, String said) { }

    private record Later(Deferred deferred, String number) { }

    private final SteppedClock clock = new SteppedClock();
    private final List<Peer> peers = new ArrayList<>();
    private final List<Taken> taken = new ArrayList<>();
    private final List<Later> laters = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private Random random;
    private Bench bench;
    private List<ScriptedLane> lanes;
    private Response shared;
    /** Who was given another's deferred answer, and gets that where the other went too soon. */
    private final Set<String> sharing = new HashSet<>();
    private int numbers;
    /** Nobody does anything new any more. */
    private boolean settling;

    @Test
    void whateverComesEachIsAnsweredOnceAndNothingIsLeft() throws Exception {
        for (int index = 0; index < BENCHES; index++) {
            long seed = SEED + index;
            random = new Random(seed);
            String at = "seed=" + seed;
            try {
                open();
                for (int round = 0; round < ROUNDS; round++) {
                    at = "seed=" + seed + " round=" + round;
                    playRound(round == ROUNDS - 1);
                }
            } catch (Exception | AssertionError failure) {
                throw new AssertionError(at, failure);
            }
        }
    }

    private void open() {
        Completions completions = new Completions(CONNECTIONS_MAX, new Waker());
        ScriptedLane first = new ScriptedLane(completions, () -> clock.nowNs);
        ScriptedLane second = new ScriptedLane(completions, () -> clock.nowNs);
        lanes = List.of(first, second);
        long heldBytesMax = random.nextInt(3) == 0 ? 6_000 : 1 << 20;
        ConnectionConfig config = new ConnectionConfig(Limits.DEFAULT, CONNECTIONS_MAX,
                random.nextBoolean() ? 0 : 3, 10 * SECOND_NS, 30 * SECOND_NS, 500, 75 * SECOND_NS,
                60 * SECOND_NS, heldBytesMax, 0, random.nextBoolean() ? 0 : 2 * SECOND_NS,
                random.nextBoolean() ? 0 : 4 * SECOND_NS, StreamConfig.DEFAULT);
        bench = new Bench(config, new OnLoop(), clock, new Lanes(
                request -> request.pathStartsWith("/0") ? 0 : request.pathStartsWith("/1") ? 1 : -1,
                List.of(first, second), completions));
    }

    private final class OnLoop implements AppHandler {
        @Override
        public Response beforeRequest(Request request) {
            return request.pathStartsWith("/1/early") ? answer(number(request), false) : null;
        }

        @Override
        public Response handle(Request request) {
            if (request.pathStartsWith("/throws")) {
                throw new IllegalStateException("as asked");
            }
            return answer(number(request), request.pathStartsWith("/later"));
        }

        @Override
        public Response afterResponse(Request request, Response response) {
            int choice = random.nextInt(40);
            if (choice == 0) {
                throw new IllegalStateException("as asked");
            }
            return choice == 1 ? text(number(request), 0) : response;
        }
    }

    private static String number(Request request) {
        return request.queryParameter("n");
    }

    private static Response text(String number, int more) {
        return Response.text(200, "n=" + number + ";" + ".".repeat(more));
    }

    private Response answer(String number, boolean later) {
        if (later) {
            boolean again = random.nextInt(8) == 0 && shared != null;
            Response deferred = again ? shared : Response.deferred();
            if (again) {
                sharing.add(number);
            } else {
                shared = deferred;
                laters.add(new Later(deferred.deferral(), number));
            }
            return deferred;
        }
        return switch (random.nextInt(8)) {
            case 0 -> text(number, 20_000);
            case 1 -> text(number, 150_000);
            case 2 -> chunks("n=" + number + ";");
            case 3 -> random.nextInt(6) == 0 ? text(number, 3).toBuilder().close().build()
                    : text(number, 3);
            default -> text(number, 0);
        };
    }

    private Response chunks(String text) {
        Source source = new Source(text, random.nextInt(3));
        return Response.status(200).chunks(source,
                random.nextBoolean() ? text.length() : Body.Chunks.UNKNOWN).build();
    }

    private void playRound(boolean lastOne) throws Exception {
        settling = false;
        for (int step = 0; step < STEPS; step++) {
            act();
        }
        settling = true;
        if (lastOne) {
            bench.stop.ask();
            bench.connections.beginPass(clock.nowNs);
            bench.connections.beginDrain();
        }
        boolean cut = random.nextInt(3) == 0;
        if (!cut) {
            for (Peer peer : peers) {
                peer.transport.room = Long.MAX_VALUE;
                while (!peer.unsent.isEmpty()) {
                    peer.transport.send(peer.unsent.removeFirst());
                }
            }
            settleAll(lastOne);
        }
        bench.connections.beginPass(clock.nowNs);
        bench.connections.closeAll();
        bench.connections.flush();
        comeBack();
        for (Peer peer : peers) {
            peer.wire.append(peer.transport.takeWritten());
            check(peer);
        }
        assertEquals(0, bench.connections.live(), "slots are taken");
        assertEquals(0, heldBytes(), "memory is held");
        assertFalse(bench.connections.hasMail());
        assertEquals(0, bench.idle);
        for (Source source : sources) {
            assertTrue(source.closed, "a source was left open");
        }
        peers.clear();
        sources.clear();
        shared = null;
    }

    private void act() {
        Peer peer = peers.isEmpty() ? null : peers.get(random.nextInt(peers.size()));
        int choice = random.nextInt(30);
        if (peer == null || choice == 0) {
            admit();
        } else if (choice < 5) {
            ask(peer);
        } else if (choice < 10) {
            if (!peer.unsent.isEmpty()) {
                peer.transport.send(peer.unsent.removeFirst());
            }
        } else if (choice < 14) {
            events(peer, random.nextInt(4) + 1);
        } else if (choice < 16) {
            peer.transport.room = random.nextInt(3) == 0 ? Long.MAX_VALUE
                    : random.nextInt(3) == 0 ? random.nextInt(30_000) : random.nextInt(200);
        } else if (choice < 19) {
            take(lanes.get(random.nextInt(2)));
        } else if (choice < 22) {
            giveOne();
        } else if (choice < 24) {
            completeOne();
        } else if (choice < 27) {
            bench.deliver();
        } else if (choice == 27) {
            if (random.nextBoolean()) {
                advance();
            } else if (!sources.isEmpty()) {
                sources.get(random.nextInt(sources.size())).stir();
            }
        } else if (random.nextInt(8) == 0) {
            fault(peer);
        } else {
            lanes.get(random.nextInt(2)).waitingMax = random.nextBoolean() ? 1 : 100;
        }
    }

    private void admit() {
        if (bench.connections.hasRoom()) {
            Peer peer = new Peer();
            peer.connection = bench.admit(peer.transport);
            peers.add(peer);
        }
    }

    /** One to four requests, cut wherever chance has it. */
    private void ask(Peer peer) {
        if (peer.ended) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            text.append(request(peer));
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
        int from = 0;
        while (from < bytes.length) {
            int to = random.nextBoolean() ? bytes.length
                    : Math.min(bytes.length, from + 1 + random.nextInt(200));
            peer.unsent.addLast(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
    }

    private String request(Peer peer) {
        String number = Integer.toString(++numbers);
        String path = switch (random.nextInt(9)) {
            case 0 -> "/loop";
            case 1 -> "/later";
            case 2 -> "/1/early";
            case 3 -> random.nextInt(5) == 0 ? "/throws" : "/loop";
            case 4, 5 -> "/1/b";
            default -> "/0/a";
        };
        boolean head = random.nextInt(8) == 0;
        String version = random.nextInt(12) == 0 ? "HTTP/1.0\r\nConnection: keep-alive" : "HTTP/1.1";
        peer.asked.add(number);
        peer.heads.add(head);
        String target = path + "?n=" + number + " " + version + "\r\nHost: h" + number + "\r\n";
        if (head) {
            return "HEAD " + target + "\r\n";
        }
        String body = number.repeat(1 + random.nextInt(random.nextInt(4) == 0 ? 2_000 : 20));
        String expects = random.nextInt(5) == 0 ? "Expect: 100-continue\r\n" : "";
        return switch (random.nextInt(version.endsWith("1") ? 4 : 2)) {
            case 0 -> "GET " + target + "\r\n";
            case 1 -> "POST " + target + expects + "Content-Length: " + body.length() + "\r\n\r\n"
                    + body;
            default -> "POST " + target + expects + "Transfer-Encoding: chunked\r\n\r\n"
                    + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
        };
    }

    private void events(Peer peer, int most) {
        for (int count = 0; count < most && bench.event(peer.connection, peer.transport); count++) {
            peer.wire.append(peer.transport.takeWritten());
        }
    }

    private void take(ScriptedLane lane) {
        if (lane.waiting() > 0) {
            Job job = lane.take(random.nextInt(4));
            if (job != null) {
                taken.add(new Taken(lane, job, said(job.request())));
            }
        }
    }

    private static String said(Request request) {
        String number = number(request);
        assertEquals("h" + number, request.header("host"));
        byte[] body = request.body();
        String text = new String(body, StandardCharsets.US_ASCII);
        assertEquals("", text.replace(number, ""), "a stranger's body");
        return request.methodName() + " " + request.target() + " " + text;
    }

    private void giveOne() {
        if (taken.isEmpty()) {
            return;
        }
        Taken given = taken.remove(random.nextInt(taken.size()));
        Request request = given.job.request();
        assertEquals(given.said, said(request), "the request has changed under its thread");
        String number = number(request);
        switch (random.nextInt(12)) {
            case 0 -> given.lane.fail(given.job, new IllegalStateException("as asked"));
            case 1 -> given.lane.answer(given.job, Response.status(200)
                    .events("c", StreamPolicy.LATEST, false, List.of()).build());
            case 2, 3, 4 -> given.lane.answer(given.job, answer(number, true));
            case 5, 6 -> giveEarly(given, number);
            default -> given.lane.answer(given.job, answer(number, false));
        }
    }

    /** Its handler goes on, while the loop may lend the job to another request, and answers in vain. */
    private void giveEarly(Taken given, String number) {
        List<AssertionError> failures = new ArrayList<>();
        JobHandler handler = (request, early) -> {
            early.give(answer(number, false));
            try {
                for (int steps = settling ? 0 : random.nextInt(8); steps > 0; steps--) {
                    act();
                }
                assertThrows(IllegalStateException.class, () -> early.give(text("0", 0)));
            } catch (AssertionError failure) {
                failures.add(failure);
            }
            if (random.nextBoolean()) {
                throw new IllegalStateException("behind it, as asked");
            }
            return text("0", 0);
        };
        given.lane.answer(given.job, handler);
        for (AssertionError failure : failures) {
            throw failure;
        }
    }

    private void completeOne() {
        if (!laters.isEmpty()) {
            Later later = laters.remove(random.nextInt(laters.size()));
            Response answer = answer(later.number, false);
            if (!later.deferred.complete(answer)) {
                drop(answer);
            }
            assertFalse(later.deferred.complete(Response.text(200, "once more")));
        }
    }

    /** What nobody took stays with who made it. */
    private void drop(Response answer) {
        if (answer.body() instanceof Body.Chunks chunks) {
            sources.remove(chunks.source());
        }
    }

    private void advance() {
        clock.advanceMs(random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(900));
        bench.connections.beginPass(clock.nowNs);
        bench.connections.runTimers();
    }

    private void fault(Peer peer) {
        switch (random.nextInt(3)) {
            case 0 -> {
                peer.transport.readFails = true;
                peer.faulty = true;
            }
            case 1 -> {
                peer.transport.writeFails = true;
                peer.faulty = true;
            }
            default -> {
                peer.unsent.clear();
                peer.faulty = true;
                peer.ended = true;
                peer.transport.sendFin();
            }
        }
    }

    /** All that is out comes back; nobody is told anything any more. */
    private void comeBack() {
        for (ScriptedLane lane : lanes) {
            while (lane.waiting() > 0) {
                take(lane);
            }
        }
        while (!taken.isEmpty()) {
            giveOne();
        }
        while (!laters.isEmpty()) {
            completeOne();
        }
        // Only those which were asked in vain since they spoke: what is said once must be enough.
        List.copyOf(sources).stream().filter(source -> source.vain).forEach(Source::stir);
        bench.deliver();
    }

    /** Everybody works and reads until nothing moves: whoever can be answered has been. */
    private void settleAll(boolean draining) {
        for (int turn = 0; turn < 60; turn++) {
            for (Peer peer : peers) {
                bench.run(peer.connection, peer.transport);
                peer.wire.append(peer.transport.takeWritten());
            }
            comeBack();
            clock.advanceMs(50);
            bench.connections.beginPass(clock.nowNs);
            bench.connections.runTimers();
        }
        for (Peer peer : peers) {
            bench.run(peer.connection, peer.transport);
            peer.wire.append(peer.transport.takeWritten());
            if (!peer.faulty && !peer.transport.closed && !peer.transport.outputShut) {
                assertFalse(draining, "a drain waits for nobody here");
                assertEquals(peer.asked.size(), check(peer), "somebody waits in vain");
            }
        }
    }

    /** Reads what the peer was told: its own answers, in order; how many are whole. */
    private int check(Peer peer) {
        String wire = peer.wire.toString();
        int at = 0;
        int answers = 0;
        boolean over = false;
        while (at < wire.length()) {
            int headEnd = wire.indexOf("\r\n\r\n", at);
            if (headEnd < 0) {
                return answers;
            }
            String head = wire.substring(at, headEnd + 2);
            at = headEnd + 4;
            if (head.startsWith("HTTP/1.1 100 ")) {
                continue;
            }
            assertTrue(head.startsWith("HTTP/1.1 "), () -> "no answer begins so: " + head);
            assertFalse(over, () -> "an answer behind the last one: " + head);
            int index = answers;
            assertTrue(index < peer.asked.size(), () -> "more answers than requests: " + head);
            over = head.contains("\r\nConnection: close\r\n");
            int end = bodyEnd(wire, at, head, peer.heads.get(index));
            if (end < 0 || end > wire.length()) {
                return answers;
            }
            String body = wire.substring(at, end);
            if (head.startsWith("HTTP/1.1 200 ") && !peer.heads.get(index)
                    && !sharing.contains(peer.asked.get(index))) {
                assertTrue(body.contains("n=" + peer.asked.get(index) + ";"),
                        () -> "request " + peer.asked.get(index) + " got " + body);
            }
            at = end;
            answers++;
        }
        return answers;
    }

    private static int bodyEnd(String wire, int at, String head, boolean isHead) {
        if (isHead) {
            return at;
        }
        if (head.contains("\r\nTransfer-Encoding: chunked\r\n")) {
            int last = wire.indexOf("0\r\n\r\n", at);
            return last < 0 ? -1 : last + 5;
        }
        int length = head.indexOf("\r\nContent-Length: ");
        if (length < 0) {
            // The connection's end is its end, and may have come before.
            return wire.indexOf(';', at) < 0 ? -1 : wire.length();
        }
        int from = length + "\r\nContent-Length: ".length();
        return at + Integer.parseInt(head.substring(from, head.indexOf("\r\n", from)));
    }

    private long heldBytes() throws ReflectiveOperationException {
        Field workbench = Connections.class.getDeclaredField("bench");
        workbench.setAccessible(true);
        Field held = Workbench.class.getDeclaredField("heldBytes");
        held.setAccessible(true);
        return held.getLong(workbench.get(bench.connections));
    }
}
