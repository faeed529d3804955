package serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import kit.SseClient;
import org.junit.jupiter.api.Test;

/** E214: applications under prefixes beside a handler, each on a lane of its own. */
@Gate
class MountGate {
    private static final int HELD_MS = 10_000;

    @Test
    void theLongestPrefixWinsAndSwallowsNoNeighbour() {
        try (ServerProcess server = Serving.bareapp().args("--mount", "/x=ramp,/x/deep=ramp")
                .start();
                RawClient client = RawClient.connect(server)) {
            assertTrue(client.get("/x/").expect(200).text().contains("/x/now"));
            assertTrue(client.get("/x").expect(200).text().contains("\"/x/now\""));
            assertTrue(client.get("/x/deep/").expect(200).text().contains("/x/deep/now"));
            assertEquals("now\n", client.get("/x/deep/now").expect(200).text());
            isProblem(client.get("/x/deeper").expect(404));
            for (String target : List.of("/xapp", "/xapp/now", "/x%2fnow", "/%78/now", "/now")) {
                client.get(target).expect(404).expectBody("bareapp has no such route\n");
            }
            client.get("/").expect(200).expectBody("bareapp\n");
        }
    }

    private static void isProblem(Reply reply) {
        assertEquals("application/problem+json", reply.header("Content-Type"), reply.toString());
    }

    /** Each lane has its threads: those of one are held, and the others answer. */
    @Test
    void aFullLaneHoldsUpNoOther() {
        try (ServerProcess server = Serving.bareapp().args("--mount", "/x=ramp,/y=ramp")
                .set("M0_BLOCKING_THREADS", "1").set("M0_METRICS", "1").start()) {
            List<RawClient> holders = new ArrayList<>();
            try (RawClient client = RawClient.connect(server)) {
                client.get("/x/search").expect(200);
                client.get("/y/search").expect(200);
                for (int count = 0; count < 3; count++) {
                    RawClient holder = RawClient.connect(server);
                    holders.add(holder);
                    holder.send("GET /x/slow?ms=" + HELD_MS + " HTTP/1.1\r\nHost: a\r\n\r\n");
                }
                ServerProcess.await("two requests to wait for the first lane's thread",
                        RawClient.WAIT, () -> metrics(client).contains(
                                "\nm0_lane_depth{lane=\"1\"} 2\n"));
                String depths = metrics(client);
                assertTrue(depths.contains("\nm0_lane_depth{lane=\"0\"} 0\n")
                        && depths.contains("\nm0_lane_depth{lane=\"2\"} 0\n"), depths);
                client.get("/y/search").expect(200);
                client.get("/").expect(200).expectBody("bareapp\n");
                client.get("/x/now").expect(200);
                for (RawClient holder : holders) {
                    assertTrue(!holder.hasBytes(), "a holder was answered: the lane was not full");
                }
            } finally {
                holders.forEach(RawClient::close);
            }
        }
    }

    /** The one that throws stands behind another: a beat reaches it all the same. */
    @Test
    void whatIsPublishedReachesEachMount() {
        try (ServerProcess server = Serving.bareapp().args("--mount", "/x=hello,/c=host_check")
                .set("M0_HOSTCHECK_HOOK_RAISES", "peerFrame").start();
                RawClient client = RawClient.connect(server)) {
            server.awaitStderr("peerFrame failed: ", RawClient.WAIT);
            client.get("/").expect(200).expectBody("bareapp\n");
        }
    }

    private static String metrics(RawClient client) {
        return client.get("/__metrics").expect(200).text();
    }

    /** The loop's instance opens the stream, and its beats are counted in words of its own. */
    @Test
    void aMountsStreamAndItsProducersBeatsAreItsOwn() {
        try (ServerProcess server = Serving.bareapp()
                .args("--mount", "/x=ramp,/c=host_check").set("M0_HOSTCHECK_PERIOD_MS", "200").start();
                RawClient client = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            SseClient stream = SseClient.over(client.send(
                    "GET /c/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 0\r\n\r\n"));
            for (SseClient.Block beat : stream.events(2, RawClient.WAIT)) {
                assertTrue(beat.data().startsWith("{\"beat\":" + beat.id() + ","), beat.data());
            }
            other.get("/events").expect(404).expectBody("bareapp has no such route\n");
            server.term();
            assertEquals(0, server.awaitExit(RawClient.WAIT));
            assertTrue(!server.stderr().contains("abandoned"), server.stderr());
        }
    }
}
