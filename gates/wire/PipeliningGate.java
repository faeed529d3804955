package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Upload;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A1, A6, A41: pipelined requests are answered in order, and nobody's pipeline holds the loop. */
@Gate
class PipeliningGate {

    /** Several times what the kernel's buffers on both sides hold. */
    private static final long TAKEN_MAX = 32L * 1024 * 1024;

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo").set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
    }

    @Test
    void twoInOneWriteAreAnsweredInOrder() {
        answeredInOrder(2);
    }

    @Test
    void eightInOneWriteAreAnsweredInOrder() {
        answeredInOrder(8);
    }

    @Test
    void twoHundredInOneWriteAreAnsweredInOrder() {
        answeredInOrder(200);
    }

    @Test
    void theAnswersToOneReadLeaveInOneWrite() {
        try (RawClient client = RawClient.connect(server)) {
            // The path that is measured has run before, so that no class is loaded meanwhile.
            client.send(hellos(100));
            readHellos(client, 100);
            long before = server.writeCalls();
            client.send(hellos(100));
            readHellos(client, 100);
            long writes = server.writeCalls() - before;
            Figures.add(PipeliningGate.class, "writes for 100 pipelined answers", writes,
                    "writes", 20);
            assertTrue(writes >= 1, "no write was counted: this gate would see nothing");
            assertTrue(writes <= 20, "100 pipelined answers took " + writes + " writes");
        }
    }

    @Test
    void aGetBehindALengthBodyIsAnswered() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nfirst"
                    + "GET /path/second HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(200).expectBody("first").expectOpen();
            client.read().expect(200).expectBody("second").expectOpen();
        }
    }

    @Test
    void aGetBehindAChunkedBodyIsAnswered() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nfir\r\n2;ext=1\r\nst\r\n0\r\nContent-Length: 99\r\n\r\n"
                    + "GET /path/second HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(200).expectBody("first").expectOpen();
            client.read().expect(200).expectBody("second").expectOpen();
        }
    }

    @Test
    void aBodyIsTheSameByteByByte() {
        String request = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nfir\r\n002\r\nst\r\n0\r\nX-Trailer: t\r\n\r\n"
                + "GET /path/second HTTP/1.1\r\nHost: a\r\n\r\n";
        try (RawClient client = RawClient.connect(server)) {
            client.sendSlowly(request, 1, 1);
            client.read().expect(200).expectBody("first").expectOpen();
            client.read().expect(200).expectBody("second").expectOpen();
        }
    }

    @Test
    void aSecondRequestDuringTheFirstAnswerIsAnsweredAfterIt() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=400 HTTP/1.1\r\nHost: a\r\n\r\n");
            ServerProcess.pause(100);
            client.send("GET /path/second HTTP/1.1\r\nHost: a\r\n\r\n");
            assertTrue(client.read().expect(200).text().startsWith("slow"));
            client.read().expect(200).expectBody("second").expectOpen();
        }
    }

    /**
     * While the server stands still, one client queues 20,000 requests and another a single one;
     * the count that its answer carries says how many of the 20,000 went first. A read is at most
     * 16 KiB, some 470 of these requests, so a fair loop is there after one or two reads.
     */
    @Test
    void twentyThousandPipelinedDoNotHoldTheLoop() {
        int many = 20_000;
        int beforeMax = 2_500;
        byte[] block = RawClient.bytes("GET /instance HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100));
        try (ServerProcess counting = ServerProcess.app("host_check")
                    .set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
                RawClient crowd = RawClient.connect(counting);
                RawClient single = RawClient.connect(counting)) {
            crowd.get("/pid").expect(200);
            assertEquals(1, Instance.count(single));
            Upload[] uploads = new Upload[1];
            counting.whileSuspended(() -> {
                uploads[0] = crowd.upload(block, many / 100);
                // More than may go first; the rest follows as the kernel has room for it.
                long queued = (beforeMax + 500) * block.length / 100;
                ServerProcess.await("the crowd to be queued", RawClient.WAIT,
                        () -> uploads[0].sentBytes() >= queued);
                single.send("GET /instance HTTP/1.1\r\nHost: a\r\n\r\n").awaitArrived();
            });
            int before = Instance.count(single.read().expect(200).text()) - 2;
            Figures.add(PipeliningGate.class, "answers to 20,000 pipelined ahead of a single",
                    before, "answers", beforeMax);
            assertTrue(before <= beforeMax, "a single request waited behind " + before
                    + " of " + many + " pipelined ones");
            for (int index = 0; index < many; index++) {
                crowd.read().expect(200);
            }
            uploads[0].join(RawClient.WAIT);
            assertEquals(many + 3, Instance.count(single));
        }
    }

    @Test
    void aClientThatReadsNoAnswersStopsBeingRead() {
        byte[] body = new byte[64 * 1024];
        String head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length
                + "\r\n\r\n";
        byte[] block = new byte[head.length() + body.length];
        System.arraycopy(RawClient.bytes(head), 0, block, 0, head.length());
        int blocks = 1_000;
        try (RawClient client = RawClient.connectWithReceiveBuffer(server, 16 * 1024);
                RawClient other = RawClient.connect(server)) {
            var upload = client.upload(block, blocks);
            long taken = upload.awaitStuck(1500, Duration.ofSeconds(20));
            Figures.add(PipeliningGate.class, "taken from a client that reads no answers",
                    taken / 1048576.0, "MiB", TAKEN_MAX / 1048576.0);
            assertTrue(taken < TAKEN_MAX, "the server went on reading: it took " + taken
                    + " bytes from a client that reads no answers");
            other.get("/hello").expect(200);
            for (int index = 0; index < blocks; index++) {
                assertEquals(body.length, client.read().expect(200).body().length);
            }
            upload.join(RawClient.WAIT);
        }
    }

    private static void answeredInOrder(int count) {
        StringBuilder requests = new StringBuilder();
        for (int index = 0; index < count; index++) {
            requests.append("GET /path/").append(index).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        try (RawClient client = RawClient.connect(server)) {
            client.send(requests.toString());
            for (int index = 0; index < count; index++) {
                client.read().expect(200).expectBody(String.valueOf(index)).expectOpen();
            }
            client.get("/hello").expectBody("hello");
        }
    }

    private static String hellos(int count) {
        return "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count);
    }

    private static void readHellos(RawClient client, int count) {
        for (int index = 0; index < count; index++) {
            client.read().expect(200).expectBody("hello");
        }
    }
}
