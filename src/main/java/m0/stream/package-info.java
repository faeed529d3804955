/**
 * What Server-Sent Events and WebSockets share on one loop: the name of a stream, what waits to be
 * sent on it, who subscribed to which channel, and which frames a returning client can still have.
 *
 * <p>It knows no socket, no thread, no clock and neither of the two frame formats: a frame is encoded
 * bytes, made once for all streams of a loop. The connection calls it on its loop. Start at
 * {@link m0.stream.Outbox}, then {@link m0.stream.Journal}.
 */
package m0.stream;
