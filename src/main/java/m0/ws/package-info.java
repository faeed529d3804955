/**
 * WebSocket (RFC 6455) without a socket: whether a request may become one, bytes in and messages or
 * a named violation out, and the frames a server sends.
 *
 * <p>It knows no channel, clock, thread or outbox, and throws no exception for bad input. It is
 * strict, and the answer is the same whether the bytes come whole, split anywhere or one by one. No
 * extension is ever agreed to. The connection calls it, on its loop; a reader belongs to one
 * thread, everything else is stateless. Start at {@link m0.ws.MessageReader}, with
 * {@link m0.ws.MessageSink} for what comes out and {@link m0.ws.Handshake} for how it begins.
 */
package m0.ws;
