/**
 * Gates of streams on the wire: event streams, WebSockets and bodies of unknown length, what the
 * host promises of each to its peer and to the application, and the hooks that tell it. Black boxes
 * around {@code target/host.jar}.
 *
 * <p>Most serve host_check, whose beats are events of known ids, and read its {@code /hooks}
 * ({@link streams.Hooks}). Start at {@link streams.SseGate} or
 * {@link streams.WebSocketFramesGate}.
 */
package streams;
