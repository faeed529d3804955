/**
 * One HTTP/1.1 connection: it joins the loop's events, the parser, the application's handler and the
 * writer, and is the only implementer of {@link m0.loop.PassWork}.
 *
 * <p>{@link m0.connection.Connections} is what one loop has: slots, timers, the drain.
 * {@link m0.connection.Connection} is one peer: follow one request from its {@code onReady}, and
 * through {@link m0.connection.Answering}, which knows where an answer comes from. What
 * connections take turns with (buffers, parser, clock) is {@link m0.connection.Workbench}; what one
 * borrows only while a request is incomplete is {@link m0.connection.Inbound}, and while an answer
 * is stuck, {@link m0.connection.Outbound}. An idle connection owns neither.
 *
 * <p>It must not know: sockets (they come as {@link m0.loop.Transport}), settings, the log.
 *
 * <p>Threads: everything here belongs to one loop's thread.
 */
package m0.connection;
