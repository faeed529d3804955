package m0.connection;

import m0.ws.Origins;

/**
 * How streams behave.
 *
 * @param outboxBytesMax bytes that may wait on one stream
 * @param messageBytesMax the largest WebSocket message, either way
 * @param heartbeatNs between two heartbeats of a stream, 0 for none
 * @param keepaliveSeconds quiet time before TCP probes a stream's peer, 0 for never
 * @param replayFrames events of one channel kept for a resume
 * @param origins which pages may open a WebSocket
 * @param waitingBytesMax bytes that may wait on all streams of a loop; beyond it an outbox counts as
 *     full as soon as it holds anything, and an empty one takes no more than its own bound
 * @param journalBytesMax bytes that a loop keeps for resumes
 */
public record StreamConfig(int outboxBytesMax, int messageBytesMax, long heartbeatNs,
        int keepaliveSeconds, int replayFrames, Origins origins, long waitingBytesMax,
        long journalBytesMax) {
    /** The settings' defaults. */
    public static final StreamConfig DEFAULT = new StreamConfig(64 * 1024, 4 * 1024 * 1024,
            15_000_000_000L, 15, 64, Origins.ANY, 128L * 1024 * 1024, 64L * 1024 * 1024);
}
