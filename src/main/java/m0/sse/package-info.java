/**
 * Writes Server-Sent Events (WHATWG HTML §9.2) and reads the one field a client sends for them.
 *
 * <p>It knows no socket, channel, subscriber or journal: who gets which event is decided by
 * {@code m0.stream} and the connection, which call it on the loop; applications call it for the
 * frames their streams begin with. Nothing here has state, so any thread may. Start at
 * {@link m0.sse.SseFrames}.
 */
package m0.sse;
