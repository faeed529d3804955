package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.ClientFrames;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.Seat;
import kit.ServerProcess;
import kit.SseClient;
import kit.WsClient;
import org.junit.jupiter.api.Test;

/** F3–F5, F23: what {@code /__metrics} says is what happened, on all loops together. */
@Gate
class MetricsGate {
    private static final String ACTIVE = "m0_connections{state=\"active\"}";
    private static final String IDLE = "m0_connections{state=\"idle\"}";
    private static final String STREAM = "m0_connections{state=\"stream\"}";
    private static final String SSE = "m0_streams{kind=\"sse\"}";
    private static final String WEBSOCKET = "m0_streams{kind=\"websocket\"}";
    private static final String PASSED = "m0_accept_handoffs_total{direction=\"passed\"}";
    private static final String RECEIVED = "m0_accept_handoffs_total{direction=\"received\"}";
    private static final String PRODUCER = "m0_producer_up";
    private static final String STALLS = "m0_loop_stalls_total";
    private static final String REFUSED = "m0_bus_frames_refused_total";
    private static final String DROPPED = "m0_outbox_frames_dropped_total";
    private static final String VIOLATIONS = "m0_protocol_violations_total";
    private static final String DURATION = "m0_request_duration_seconds";
    private static final String PASS = "m0_loop_pass_seconds";
    private static final int LARGE = 60_000;

    @Test
    void aStrictReaderReadsItAndFindsWhatIsPromised() {
        try (ServerProcess server = metered("host_check").start();
                RawClient client = RawClient.connect(server)) {
            Reply reply = client.get("/__metrics").expect(200).expectOpen();
            assertEquals("text/plain; version=0.0.4; charset=utf-8", reply.header("Content-Type"));
            assertEquals("no-store", reply.header("Cache-Control"));
            assertEquals(List.of("m0_requests_total counter", DURATION + " histogram",
                    "m0_connections gauge", "m0_streams gauge", DROPPED + " counter",
                    "m0_connections_taken_total counter", REFUSED + " counter",
                    "m0_accept_handoffs_total counter", PASS + " histogram", STALLS + " counter",
                    "m0_lane_depth gauge", "m0_lane_wait_seconds histogram",
                    "m0_lane_refused_total counter", PRODUCER + " gauge",
                    VIOLATIONS + " counter"), List.copyOf(Exposition.read(reply.body()).families()));
        }
    }

    @Test
    void headHasTheHeadAloneAndAnotherMethodIsNotAllowed() {
        try (ServerProcess server = metered("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.send("HEAD /__metrics HTTP/1.1\r\nHost: a\r\n\r\n").read("HEAD").expect(200)
                    .expectOpen();
            assertEquals("GET, HEAD", client.post("/__metrics", "x").expect(405).header("Allow"));
        }
    }

    @Test
    void theApplicationSeesNothingOfIt() {
        try (ServerProcess server = metered("host_check").start();
                RawClient client = RawClient.connect(server)) {
            long before = hookCalls(client, "beforeRequest");
            long answered = hookCalls(client, "afterResponse");
            client.get("/__metrics").expect(200);
            assertEquals(before + 2, hookCalls(client, "beforeRequest"),
                    "only what asked for this count may have come by");
            assertEquals(answered + 2, hookCalls(client, "afterResponse"),
                    "only what asked for this count may have come by");
        }
    }

    @Test
    void withoutMetricsTheRouteIsTheApplications() {
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/health").expect(200);
            client.get("/__metrics").expect(404);
        }
    }

    @Test
    void everyAnswerIsCountedOnceInItsClass() {
        try (ServerProcess server = metered("host_check").start()) {
            Exposition before = scrape(server);
            try (RawClient client = RawClient.connect(server)) {
                client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".repeat(5));
                for (int count = 0; count < 5; count++) {
                    client.read().expect(200);
                }
                client.get("/bytes?n=3000000").expect(200);
                client.get("/framed?status=304").expect(304);
                client.get("/nothing").expect(404);
                client.get("/throw").expect(500).expectClose();
            }
            refuse(server, "GET /health HTTP/1.1\r\n\r\n", 400);
            WsClient.open(server, "/ws").close();
            SseClient.open(server, "/events").close();
            Exposition after = await(server, "what has ended is counted",
                    now -> now.sum("m0_streams") == 0);
            // One scrape at least stands between the two, and all answer 200.
            double scrapes = classOf(after, "2xx") - classOf(before, "2xx") - 7;
            assertTrue(scrapes >= 1, "2xx: " + classOf(after, "2xx"));
            assertEquals(List.of(1.0, 1.0, 2.0, 1.0), List.of(classOf(after, "1xx"),
                    classOf(after, "3xx"), classOf(after, "4xx"), classOf(after, "5xx")));
            assertEquals(after.sum("m0_requests_total"), after.value(DURATION + "_count"));
            Exposition next = scrape(server);
            assertEquals(classOf(after, "2xx") + 1, classOf(next, "2xx"), "a scrape counts itself");
        }
    }

    @Test
    void timesRunFromTheFirstByteToTheAnswer() {
        try (ServerProcess server = metered("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=300 HTTP/1.1\r\nHo").awaitTaken();
            ServerProcess.pause(700);
            client.send("st: a\r\n\r\n").read().expect(200);
            Exposition now = scrape(server);
            // The first byte was read before the pause began.
            assertTrue(now.value(DURATION + "_sum") >= 0.98, "sum " + now.value(DURATION + "_sum"));
            assertEquals(1, below(now, DURATION, "+Inf") - below(now, DURATION, "0.5"),
                    "one took longer than half a second");
        }
    }

    @Test
    void allLoopsAreSummedWhicheverIsAsked() {
        try (ServerProcess server = metered("host_check").set("M0_THREADS", "2").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            try (RawClient zero = seats.get(0).client(); RawClient one = seats.get(1).client()) {
                double before = classOf(metrics(zero), "4xx");
                for (int count = 0; count < 10; count++) {
                    zero.get("/nothing").expect(404);
                    one.get("/nothing").expect(404);
                    one.get("/nothing").expect(404);
                }
                assertEquals(before + 30, classOf(metrics(zero), "4xx"), "asked on loop 0");
                assertEquals(before + 30, classOf(metrics(one), "4xx"), "asked on loop 1");
            }
        }
    }

    @Test
    void connectionsAreCountedByWhatTheyDo() {
        try (ServerProcess server = metered("host_check").set("M0_THREADS", "2")
                .set("M0_HEADER_TIMEOUT_MS", "0").start()) {
            List<RawClient> idle = new ArrayList<>();
            List<RawClient> begun = new ArrayList<>();
            for (int count = 0; count < 5; count++) {
                RawClient client = RawClient.connect(server);
                client.get("/health").expect(200);
                idle.add(client);
            }
            for (int count = 0; count < 3; count++) {
                RawClient client = RawClient.connect(server);
                begun.add(client.send("GET /hea"));
            }
            SseClient stream = SseClient.open(server, "/events");
            // Whoever asks is active too.
            await(server, "5 idle, 4 active, 1 stream", now -> now.value(IDLE) == 5
                    && now.value(ACTIVE) == 4 && now.value(STREAM) == 1);
            begun.get(0).send("lth HTTP/1.1\r\nHost: a\r\n\r\n").read().expect(200);
            await(server, "6 idle, 3 active, 1 stream", now -> now.value(IDLE) == 6
                    && now.value(ACTIVE) == 3 && now.value(STREAM) == 1);
            idle.forEach(RawClient::close);
            begun.forEach(RawClient::close);
            stream.close();
            await(server, "only who asks", now -> now.value(IDLE) == 0 && now.value(ACTIVE) == 1
                    && now.value(STREAM) == 0);
        }
    }

    @Test
    void streamsAreCountedWhileTheyAreOpen() {
        try (ServerProcess server = metered("host_check").set("M0_THREADS", "2").start()) {
            List<SseClient> events = new ArrayList<>();
            List<WsClient> sockets = new ArrayList<>();
            for (int count = 0; count < 4; count++) {
                events.add(SseClient.open(server, "/events"));
            }
            for (int count = 0; count < 3; count++) {
                sockets.add(WsClient.open(server, "/ws"));
            }
            Exposition now = scrape(server);
            assertEquals(4, now.value(SSE));
            assertEquals(3, now.value(WEBSOCKET));
            events.remove(0).close();
            sockets.remove(0).close(1000).expectClose(1000);
            await(server, "one less of each",
                    less -> less.value(SSE) == 3 && less.value(WEBSOCKET) == 2);
            events.forEach(SseClient::close);
            sockets.forEach(socket -> socket.connection().reset());
            await(server, "none of either",
                    none -> none.value(SSE) == 0 && none.value(WEBSOCKET) == 0);
        }
    }

    @Test
    void framesThatARingRefusesAreCounted() {
        try (ServerProcess server = quiet().start(); RawClient client = RawClient.connect(server)) {
            assertEquals(0, scrape(server).value(REFUSED));
            long refused = published(client, "count=60&size=" + LARGE, "refused");
            assertTrue(refused > 0, "vacuous: no frame was refused");
            assertEquals(refused, scrape(server).value(REFUSED));
            refused += published(client, "count=60&size=" + LARGE, "refused");
            assertEquals(refused, scrape(server).value(REFUSED));
        }
    }

    @Test
    void framesThatAnOutboxDropsAreCounted() {
        try (ServerProcess server = quiet().start(); RawClient client = RawClient.connect(server);
                RawClient lazy = RawClient.connectWithReceiveBuffer(server, 16 * 1024)) {
            SseClient late = SseClient.open(lazy, "/events?channel=c&policy=latest", "");
            long published = 0;
            double dropped = 0;
            for (int turn = 0; turn < 200 && dropped < 20; turn++) {
                published(client, "channel=c&count=10&size=" + LARGE, "refused");
                published += 10;
                dropped = scrape(server).value(DROPPED);
            }
            assertTrue(dropped >= 20, "vacuous: the outbox took all of " + published + " frames");
            assertEquals(0, scrape(server).value(REFUSED), "vacuous: not all came to the outbox");
            long read = 0;
            while (read + scrape(server).value(DROPPED) < published
                    && late.tryEvent(RawClient.WAIT) != null) {
                read++;
            }
            dropped = scrape(server).value(DROPPED);
            assertNull(late.tryEvent(Duration.ofMillis(500)), "more than was published");
            assertEquals(published, read + dropped, "read " + read + ", dropped " + dropped);
        }
    }

    @Test
    void handOffsAreCountedOnBothSides() {
        try (ServerProcess server = metered("host_check").set("M0_THREADS", "2").start()) {
            List<RawClient> held = new ArrayList<>();
            double passed = 0;
            // Even a race is fair now and then, and then nothing is handed over.
            for (int turn = 0; turn < 10 && passed == 0; turn++) {
                for (int count = 0; count < 32; count++) {
                    held.add(RawClient.connect(server));
                }
                // Whoever is answered has been handed over, if it was to be.
                held.forEach(client -> client.get("/health").expect(200));
                passed = await(server, "what was passed is received",
                        both -> both.value(PASSED) == both.value(RECEIVED)).value(PASSED);
            }
            assertTrue(passed > 0, "vacuous: no connection was handed over");
            held.forEach(RawClient::close);
            Stop.term(server).expectExit(0);
            Matcher line = Pattern.compile("host: loop=[01] passed=(\\d+) received=(\\d+)")
                    .matcher(server.stderr());
            double told = 0;
            while (line.find()) {
                told += Long.parseLong(line.group(1));
            }
            // Each scrape was a connection too, and the last was counted before it was closed.
            assertTrue(told >= passed && told <= passed + 2, "the loops told of " + told
                    + " passed, the metrics of " + passed);
        }
    }

    /** A pass that the machine holds up is longer too, and may be counted beside those two. */
    @Test
    void passesAreMeasuredAndThoseThatStallAreCounted() {
        Rounds.play(3, MetricsGate::expectPassesMeasured);
    }

    /** The watch has two seconds in which to look at each of the long ones. */
    private static void expectPassesMeasured() {
        try (ServerProcess server = metered("host_check").set("M0_LOOP_STALL_MS", "1000").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/slow?ms=120").expect(200);
            Exposition before = scrape(server);
            assertTrue(longerThan(before, "0.1") >= 1, "a pass of 120 ms is not among those above 100");
            client.get("/slow?ms=3500").expect(200);
            client.get("/slow?ms=3500").expect(200);
            Exposition after = scrape(server);
            double stalls = after.value(STALLS) - before.value(STALLS);
            double longer = longerThan(after, "1") - longerThan(before, "1");
            assertTrue(stalls >= 2, "two passes that stall are counted as " + stalls);
            assertTrue(longer >= 2, "two passes of 3.5 s are measured as " + longer);
            assertTrue(after.value(PASS + "_sum") - before.value(PASS + "_sum") >= 7,
                    "two passes of 3.5 s add up to " + after.value(PASS + "_sum"));
            Rounds.voidIf(stalls != 2 || longer != 2 || before.value(STALLS) != 0, "of two passes "
                    + stalls + " were counted and " + longer + " measured");
        }
    }

    /** A pass that the machine holds up is work to whoever measures it. */
    @Test
    void waitingIsNoPartOfAPass() {
        Rounds.play(3, MetricsGate::expectWaitingUncounted);
    }

    private static void expectWaitingUncounted() {
        try (ServerProcess server = quiet().start()) {
            Exposition before = scrape(server);
            ServerProcess.pause(3000);
            Exposition after = scrape(server);
            double worked = after.value(PASS + "_sum") - before.value(PASS + "_sum");
            assertNotEquals(before.value(PASS + "_count"), after.value(PASS + "_count"));
            Rounds.voidIf(worked >= 1.5, "an idle loop worked " + worked + " s of 3");
        }
    }

    @Test
    void theProducerIsUpUntilAStepThrows() {
        Rounds.play(4, MetricsGate::expectProducerDown);
    }

    private static void expectProducerDown() {
        int steps = 15;
        int periodMs = 150;
        long sinceNs = System.nanoTime();
        try (ServerProcess server = metered("host_check")
                .set("M0_HOSTCHECK_PERIOD_MS", String.valueOf(periodMs))
                .set("M0_HOSTCHECK_STEP_RAISES_AT", String.valueOf(steps)).start()) {
            double up = scrape(server).value(PRODUCER);
            Rounds.voidIf(up == 0 && System.nanoTime() - sinceNs > steps * periodMs * 1_000_000L,
                    "it was asked late");
            assertEquals(1, up);
            await(server, "the producer is down", now -> now.value(PRODUCER) == 0);
            try (RawClient client = RawClient.connect(server)) {
                client.get("/health").expect(200);
            }
        }
    }

    @Test
    void whereThereIsNoProducerNoneIsDown() {
        try (ServerProcess server = metered("echo").start()) {
            assertFalse(scrape(server).has(PRODUCER));
        }
    }

    @Test
    void violationsAreCountedByKind() {
        try (ServerProcess server = metered("host_check").set("M0_MAX_BODY", "10").start()) {
            assertEquals(0, scrape(server).sum(VIOLATIONS));
            refuse(server, "GET / HTTP/1.1\r\n\r\n", 400);
            refuse(server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n", 413);
            refuse(server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n", 413);
            try (WsClient socket = WsClient.open(server, "/ws")) {
                socket.send(new ClientFrames().head(0x81, false, 1, 0).raw(new byte[] {'a'}));
                socket.expectClose(1002);
            }
            Exposition now = scrape(server);
            assertEquals(1, kind(now, "host_missing"));
            assertEquals(2, kind(now, "body_too_large"));
            assertEquals(1, kind(now, "ws_unmasked"));
            assertEquals(4, now.sum(VIOLATIONS), "nothing else was broken");
        }
    }

    @Test
    void noPeerAddsASeries() {
        try (ServerProcess server = metered("host_check").start()) {
            Exposition before = scrape(server);
            refuse(server, "evil\r\n\r\n", 400);
            try (RawClient client = RawClient.connect(server)) {
                client.get("/framed?status=299").expect(299);
                client.get("/__metrics?evil=evil").expect(200);
                client.send("EVIL /evil?a=\"}%0Aevil HTTP/1.1\r\nHost: evil\r\nEvil: evil\r\n\r\n")
                        .read();
            }
            Set<String> series = scrape(server).series();
            assertEquals(before.series().size(), series.size());
            series.removeAll(before.series());
            assertEquals(Set.of(), series);
        }
    }

    @Test
    void theAccessLogGoesOnBesideIt() {
        try (ServerProcess server = metered("host_check").args("--access-log").start()) {
            try (RawClient client = RawClient.connect(server)) {
                client.get("/pid").expect(200);
                client.get("/nothing").expect(404);
            }
            assertEquals(1, classOf(scrape(server), "4xx"));
            Stop.term(server).expectExit(0);
            List<String> targets = new ArrayList<>();
            for (String line : server.stdout().split("\n")) {
                targets.add((String) JsonText.object(line).get("target"));
            }
            assertEquals(List.of("/pid", "/nothing", "/__metrics"), targets);
        }
    }

    private static ServerProcess.Plan metered(String app) {
        return ServerProcess.app(app).args("--metrics");
    }

    /** With a producer that publishes once. */
    private static ServerProcess.Plan quiet() {
        return metered("host_check").set("M0_HOSTCHECK_PERIOD_MS", "600000");
    }

    private static Exposition metrics(RawClient client) {
        return Exposition.read(client.get("/__metrics").expect(200).body());
    }

    /** On a connection of its own. */
    private static Exposition scrape(ServerProcess server) {
        try (RawClient client = RawClient.connect(server)) {
            return metrics(client);
        }
    }

    private static Exposition await(ServerProcess server, String what,
            Predicate<Exposition> condition) {
        Exposition[] last = new Exposition[1];
        ServerProcess.await(what, RawClient.WAIT, () -> {
            last[0] = scrape(server);
            return condition.test(last[0]);
        });
        return last[0];
    }

    private static void refuse(ServerProcess server, String request, int status) {
        try (RawClient client = RawClient.connect(server)) {
            client.send(request).read().expect(status).expectClose();
        }
    }

    private static double classOf(Exposition metrics, String name) {
        return metrics.value("m0_requests_total{class=\"" + name + "\"}");
    }

    private static double kind(Exposition metrics, String name) {
        return metrics.value(VIOLATIONS + "{kind=\"" + name + "\"}");
    }

    private static double below(Exposition metrics, String histogram, String bound) {
        return metrics.value(histogram + "_bucket{le=\"" + bound + "\"}");
    }

    private static double longerThan(Exposition metrics, String bound) {
        return below(metrics, PASS, "+Inf") - below(metrics, PASS, bound);
    }

    private static long hookCalls(RawClient client, String hook) {
        return number(client.get("/hooks").expect(200).text(), hook);
    }

    private static long published(RawClient client, String query, String field) {
        return number(client.get("/publish?" + query).expect(200).text(), field);
    }

    private static long number(String json, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":(\\d+)").matcher(json);
        assertTrue(found.find(), "no " + field + " in " + json);
        return Long.parseLong(found.group(1));
    }
}
