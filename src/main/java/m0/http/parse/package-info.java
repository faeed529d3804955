/**
 * Reads requests: bytes in; a whole head or body, "need more", or a named violation out.
 *
 * <p>It knows no socket, clock or thread, and throws no exception for bad input. It is strict: what
 * two readers could understand differently is refused (RFC 9112 §11.2), and the answer is the same
 * whether the bytes come whole, split anywhere or one by one. The connection calls it, on its loop;
 * each object belongs to one thread at a time. Start at {@link m0.http.parse.RequestHead}, then
 * {@link m0.http.parse.FramingFields} for the rules and {@link m0.http.parse.ChunkedBody}.
 */
package m0.http.parse;
