package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import m0.http.Limits;
import m0.loop.ReadyWork;
import m0.ws.ClientFrames;
import m0.ws.Origins;
import org.junit.jupiter.api.Test;

/**
 * A loop's connections under random peers and a random application, on one thread and a clock that
 * is stepped: whatever they do, no closed socket is used, each stream and source is opened and
 * closed once, every answer can be read, a drain ends, and nothing is left or counted at its end.
 *
 * <p>It prints its seed; {@code -Dm0.fuzz.seed=N -Dm0.fuzz.runs=1} runs that one again.
 */
class ConnectionFuzzTest {
    private static final int RUNS = 200;
    private static final int STEPS = 400;
    private static final int PEERS_MAX = 8;
    private static final int DRAIN_STEPS_MAX = 120;
    private static final String[] PATHS =
            {"/events", "/events", "/socket", "/chunks", "/bytes", "/throws", "/", "/"};
    private static final String HANDSHAKE = "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    private record Peer(StrictTransport transport, ReadyWork connection, List<String> requests) {
        boolean asksForAWebSocket() {
            return !requests.isEmpty() && requests.get(requests.size() - 1).contains("/socket");
        }
    }

    private Random random;
    private Bench bench;
    private RandomHandler handler;
    private List<Peer> peers;

    @Test
    void nothingPeersOrApplicationsDoLeavesAnything() {
        long first = Long.getLong("m0.fuzz.seed", System.nanoTime());
        int runs = Integer.getInteger("m0.fuzz.runs", RUNS);
        System.out.println("ConnectionFuzzTest seed=" + first);
        int streams = 0;
        for (long seed = first; seed < first + runs; seed++) {
            try {
                run(seed);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("seed=" + seed + ": " + failure.getMessage(), failure);
            }
            streams += records(ExchangeRecord.Event.STREAM_OPEN);
        }
        assertTrue(streams >= runs, "vacuous: " + streams + " streams in " + runs + " runs");
    }

    private void run(long seed) {
        random = new Random(seed);
        handler = new RandomHandler(random);
        bench = new Bench(config(), handler);
        handler.streams = bench.streams;
        handler.bus = bench.bus;
        peers = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            bench.connections.beginPass(bench.clock.nowNs);
            step();
        }
        drain();
        bench.connections.closeAll();
        expectNothingLeft();
    }

    /** Bounds are tight in some runs, and some have no heartbeat. */
    private ConnectionConfig config() {
        var streams = new StreamConfig(1024, 1 << 12, random.nextInt(3) == 0 ? 0 : 700_000_000L, 0,
                3, Origins.ANY, random.nextInt(3) == 0 ? 2000 : 1 << 20,
                random.nextBoolean() ? 400 : 1 << 20);
        return new ConnectionConfig(Limits.DEFAULT, 1000, random.nextInt(3) == 0 ? 3 : 0,
                10_000_000_000L, 0, 0, 20_000_000_000L, 8_000_000_000L, 1 << 20, 0, 0,
                30_000_000_000L, streams);
    }

    private void step() {
        int what = random.nextInt(20);
        if (what == 0 && peers.size() < PEERS_MAX || peers.isEmpty()) {
            var transport = new StrictTransport();
            if (random.nextBoolean()) {
                transport.room = random.nextInt(3000);
            }
            peers.add(new Peer(transport, bench.connections.admit(transport), new ArrayList<>()));
            return;
        }
        Peer peer = peers.get(random.nextInt(peers.size()));
        switch (what) {
            case 0, 1, 2, 3, 4, 5 -> send(peer);
            case 6 -> peer.transport.room += random.nextInt(5000);
            case 7 -> peer.transport.finSent |= random.nextInt(6) == 0;
            case 8 -> peer.transport.readFails |= random.nextInt(12) == 0;
            case 9 -> peer.transport.writeFails |= random.nextInt(12) == 0;
            case 10 -> publish(handler.channel(), random.nextInt(400));
            case 11 -> turn();
            case 12 -> {
                bench.clock.advanceMs(random.nextInt(random.nextInt(5) == 0 ? 3000 : 200));
                bench.connections.beginPass(bench.clock.nowNs);
                turn();
                bench.connections.runTimers();
            }
            case 13 -> {
                // More than the ring holds: frames are lost.
                for (int count = random.nextInt(30) == 0 ? 30 : 0; count > 0; count--) {
                    publish("large", 60_000);
                }
            }
            default -> events();
        }
    }

    private void publish(String channel, int bytes) {
        bench.bus.publisher().publish(channel, random.nextBoolean() ? "e" : "",
                ByteBuffer.wrap(new byte[bytes]));
    }

    private void turn() {
        bench.connections.runMail();
        bench.connections.flush();
    }

    /** What a selector would report of all, each looked at when its turn has come. */
    private void events() {
        for (Peer peer : peers) {
            event(peer);
        }
        turn();
        bench.connections.runTimers();
    }

    private static void event(Peer peer) {
        StrictTransport transport = peer.transport;
        if (!transport.closed && (transport.isReadable() || transport.isWritable())) {
            peer.connection.onReady(transport.isReadable(), transport.isWritable());
        }
    }

    private void send(Peer peer) {
        if (peer.transport.finSent) {
            return;
        }
        byte[] bytes = peer.asksForAWebSocket() && random.nextInt(10) > 0 ? frame() : request(peer);
        if (random.nextInt(4) == 0) {
            int cut = 1 + random.nextInt(bytes.length - 1);
            peer.transport.send(Arrays.copyOf(bytes, cut));
            peer.transport.send(Arrays.copyOfRange(bytes, cut, bytes.length));
        } else if (random.nextInt(3) == 0) {
            peer.transport.append(bytes);
        } else {
            peer.transport.send(bytes);
        }
    }

    private byte[] request(Peer peer) {
        String method = random.nextInt(8) == 0 ? "HEAD" : "GET";
        String path = PATHS[random.nextInt(PATHS.length)];
        String minor = random.nextInt(6) == 0 ? "0" : "1";
        var head = new StringBuilder(method + " " + path + " HTTP/1." + minor + "\r\nHost: a\r\n");
        if (path.equals("/socket") && random.nextInt(6) > 0) {
            head.append(HANDSHAKE);
        } else if (random.nextInt(10) == 0) {
            head.append("Connection: close\r\n");
        } else if (minor.equals("0") && random.nextInt(6) == 0) {
            head.append("Connection: keep-alive\r\n");
        }
        if (random.nextInt(3) == 0) {
            head.append("Last-Event-ID: ").append(random.nextInt(40)).append("\r\n");
        }
        head.append(random.nextInt(6) == 0 ? "Content-Length: 3\r\n\r\nabc" : "\r\n");
        peer.requests.add(method + " " + path + " " + minor);
        return head.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] frame() {
        var frames = new ClientFrames();
        switch (random.nextInt(10)) {
            case 0 -> frames.frame(true, 9, new byte[random.nextInt(20)]);
            case 1 -> frames.frame(false, 1, new byte[random.nextInt(60)]);
            case 2 -> frames.frame(true, 0, new byte[random.nextInt(60)]);
            case 3 -> {
                if (random.nextInt(3) == 0) {
                    frames.close(1000, "");
                } else {
                    frames.text("hello");
                }
            }
            default -> frames.frame(true, random.nextInt(3) == 0 ? 2 : 1,
                    new byte[random.nextInt(random.nextInt(6) == 0 ? 3000 : 100)]);
        }
        return frames.bytes();
    }

    private void drain() {
        bench.stop.ask();
        bench.connections.beginPass(bench.clock.nowNs);
        bench.connections.beginDrain();
        bench.connections.flush();
        for (int step = 0; step < DRAIN_STEPS_MAX && !bench.connections.isDrained(); step++) {
            bench.clock.advanceMs(100);
            bench.connections.beginPass(bench.clock.nowNs);
            for (Peer peer : peers) {
                peer.transport.room += random.nextInt(3) == 0 ? 20_000 : 0;
            }
            events();
        }
        assertTrue(bench.connections.isDrained(), "a drain that does not end");
    }

    private void expectNothingLeft() {
        assertEquals(0, bench.connections.live(), "connections");
        assertEquals(0, bench.idle, "connections that are counted as idle");
        assertEquals(List.of(), List.copyOf(handler.open), "streams that are open");
        assertEquals(0, handler.sourcesOpen, "sources that are open");
        assertTrue(bench.streams.bench().isHoldingNothing(), "bytes that are counted as held");
        assertEquals(records(ExchangeRecord.Event.STREAM_OPEN),
                records(ExchangeRecord.Event.STREAM_CLOSE), "records of streams");
        for (Peer peer : peers) {
            assertTrue(peer.transport.closed, "a transport that is open");
            WireReader.check(peer.transport.written(), peer.requests);
        }
    }

    private int records(ExchangeRecord.Event event) {
        return (int) bench.records.stream().filter(record -> record.event() == event).count();
    }
}
