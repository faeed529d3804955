package m0.telemetry;

import m0.http.parse.ProtocolViolation;
import m0.ws.FrameViolation;

/**
 * Which of a loop's counters stands for what.
 *
 * <pre>
 *   REQUESTS          one for each class of status
 *   SSE, WEBSOCKETS   streams open now
 *   IDLE              connections that wait for a next request
 *   DROPPED           frames that outboxes had no room for
 *   DURATIONS         {@link Buckets#WORDS} for requests
 *   PASSES            and as many for passes
 *   VIOLATIONS        one for each {@link ProtocolViolation}
 *   FRAMES            and for each {@link FrameViolation}
 *   LANE_REFUSED      requests that a lane did not answer
 *   LANE_WAITS        {@link Buckets#WORDS} for waits for a pool thread
 *   LANE_DEPTH        on a line of its own, one for each lane: jobs that wait, raised by the loop
 *                     and lowered by pool threads
 * </pre>
 */
final class MetricWords {
    static final int CLASSES = 5;
    private static final int HTTP_KINDS = ProtocolViolation.values().length;
    private static final FrameViolation[] FRAME_VIOLATIONS = FrameViolation.values();

    static final int REQUESTS = 0;
    static final int SSE = REQUESTS + CLASSES;
    static final int WEBSOCKETS = SSE + 1;
    static final int IDLE = WEBSOCKETS + 1;
    static final int DROPPED = IDLE + 1;
    static final int DURATIONS = DROPPED + 1;
    static final int PASSES = DURATIONS + Buckets.WORDS;
    private static final int VIOLATIONS = PASSES + Buckets.WORDS;
    private static final int FRAMES = VIOLATIONS + HTTP_KINDS;
    static final int LANE_REFUSED = FRAMES + FRAME_VIOLATIONS.length;
    static final int LANE_WAITS = LANE_REFUSED + 1;
    /** A loop's counters begin with a line of the page. */
    private static final int LINE_WORDS = 16;
    static final int LANE_DEPTH =
            (LANE_WAITS + Buckets.WORDS + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    /** As many as a loop with one lane needs. */
    static final int COUNT = LANE_DEPTH + 1;

    private MetricWords() { }

    /** The word of a status from 100 to 599. */
    static int request(int status) {
        return REQUESTS + status / 100 - 1;
    }

    static int violation(ProtocolViolation violation) {
        return VIOLATIONS + violation.ordinal();
    }

    static int violation(FrameViolation violation) {
        return FRAMES + violation.ordinal();
    }

    /** The word of a WebSocket's violation; what is no name of one is refused. */
    static int frameViolation(String kind) {
        for (FrameViolation violation : FRAME_VIOLATIONS) {
            if (violation.kind().equals(kind)) {
                return violation(violation);
            }
        }
        throw new IllegalArgumentException("kind=" + kind);
    }
}
