package wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * C8: a crowd in the backlog does not hold up a connection that is already there.
 *
 * <p>The server stands still while 120 connections queue up. Each of them asks for the
 * application's count and then for a spin, so that a pass which has taken them all in is a long
 * one, and the pass of the first batch is longer still. Once the first of them is answered, a
 * connection held from before asks for the count, which is how many of the crowd went first: order
 * and not time.
 */
@Gate
@Isolated("it queues a crowd before a server that stands still")
class AcceptBatchGate {

    private static final int CROWD = 120;
    private static final int BATCH = 16;
    private static final int ATTEMPTS = 4;
    /** How long a member of the first batch spins, each of which the held connection may miss. */
    private static final int FIRST_MS = 60;
    private static final int LATER_MS = 10;

    /**
     * The best of some: a client that is held up itself lets another batch pass, where without a
     * bound the whole crowd goes first each time.
     */
    @Test
    void aHeldConnectionIsAnsweredBehindABatchAndAHalfAtMost() {
        int ahead = CROWD;
        for (int attempt = 0; attempt < ATTEMPTS && ahead > BATCH * 3 / 2; attempt++) {
            ahead = Math.min(ahead, answeredAhead(ServerProcess.app("host_check")));
        }
        Figures.add(AcceptBatchGate.class, "answered ahead of a held connection", ahead,
                "of 120", BATCH * 3 / 2);
        assertTrue(ahead <= BATCH * 3 / 2, ahead + " of " + CROWD
                + " queued connections were answered before a held one");
    }

    @Test
    void withTheBatchOffTwoThirdsOfTheCrowdGoFirst() {
        int ahead = answeredAhead(ServerProcess.app("host_check").set("M0_ACCEPT_BATCH", "0"));
        Figures.addAtLeast(AcceptBatchGate.class, "the same without a batch (negative arm)", ahead,
                "of 120", CROWD * 2 / 3);
        assertTrue(ahead >= CROWD * 2 / 3, "only " + ahead + " of " + CROWD
                + " went first: the crowd is no load, and this gate would see nothing");
    }

    /** The connections queue while nobody accepts, so this also needs a backlog that holds them. */
    private static int answeredAhead(ServerProcess.Plan plan) {
        List<RawClient> crowd = new ArrayList<>();
        try (ServerProcess server = plan.start();
                RawClient held = RawClient.connect(server)) {
            try {
                int before = Instance.count(held);
                server.whileSuspended(() -> {
                    for (int index = 0; index < CROWD; index++) {
                        RawClient member = RawClient.connect(server);
                        crowd.add(member);
                        member.send(asks(index < BATCH ? FIRST_MS : LATER_MS));
                    }
                });
                awaitFirst(crowd);
                int ahead = Instance.count(held) - before - 1;
                for (RawClient member : crowd) {
                    member.read().expect(200);
                    member.read().expect(200);
                }
                return ahead;
            } finally {
                crowd.forEach(RawClient::close);
            }
        }
    }

    private static String asks(int spinMs) {
        return "GET /instance HTTP/1.1\r\nHost: a\r\n\r\nGET /slow?ms=" + spinMs
                + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    }

    /** Waits for the first answer to whichever of the crowd was taken in first. */
    private static void awaitFirst(List<RawClient> crowd) {
        ServerProcess.await("an answer in time to the crowd", RawClient.WAIT,
                () -> crowd.stream().anyMatch(RawClient::hasBytes));
    }
}
