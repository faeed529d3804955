package workers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.RawClient;
import kit.Seat;
import kit.ServerProcess;

/** What gates of this package have in common: plans, and which process is which worker. */
final class Fleet {
    static final Duration BOUND = Duration.ofSeconds(40);
    private static final int OPENED_MAX = 64;

    private Fleet() {
    }

    /** host_check on so many workers. */
    static ServerProcess.Plan of(int workers) {
        return ServerProcess.app("host_check").set("M0_WORKERS", String.valueOf(workers));
    }

    /** The process that is worker {@code index} now. */
    static long process(ServerProcess server, int index) {
        long[] found = new long[1];
        ServerProcess.await("worker " + index, BOUND, () -> {
            for (long pid : server.workers()) {
                if (String.valueOf(index)
                        .equals(ServerProcess.variable(pid, "M0_INTERNAL_WORKER"))) {
                    found[0] = pid;
                    return true;
                }
            }
            return false;
        });
        return found[0];
    }

    /**
     * Has that seat's worker held for so long, and waits until it is: the request was read, and
     * whoever reads one handles it before looking at anything else.
     */
    static void hold(ServerProcess server, Seat seat, int ms) {
        seat.client().send("GET /slow?ms=" + ms + " HTTP/1.1\r\nHost: a\r\n\r\n");
        seat.client().awaitTaken();
    }

    /** The directory that supervisor and workers share. */
    static Path directory(ServerProcess server) {
        return Path.of(ServerProcess.variable(process(server, 0), "M0_INTERNAL_DIRECTORY"));
    }

    /**
     * Waits until somebody else than {@code former} answers as that worker. What its siblings answer
     * stays open meanwhile, so that they leave the next one to it.
     */
    static void awaitSuccessor(ServerProcess server, int index, long former) {
        List<RawClient> opened = new ArrayList<>();
        try {
            ServerProcess.await("an answer of the successor of worker " + index, BOUND, () -> {
                if (opened.size() == OPENED_MAX) {
                    closeClients(opened);
                }
                try {
                    opened.add(RawClient.connect(server));
                    Seat.Instance instance = Seat.Instance
                            .of(opened.get(opened.size() - 1).get("/instance"));
                    return instance.loop() == index && instance.pid() != former;
                } catch (AssertionError closed) {
                    // It had come to the one who is going, and had not asked yet.
                    return false;
                }
            });
        } finally {
            closeClients(opened);
        }
    }

    private static void closeClients(List<RawClient> clients) {
        clients.forEach(RawClient::close);
        clients.clear();
    }

    static void closeAll(List<Seat> seats) {
        seats.forEach(Seat::close);
    }
}
