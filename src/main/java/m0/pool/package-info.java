/**
 * The lane: a bounded set of pool threads behind one loop, for answers that take their time.
 *
 * <p>A job goes from the loop through a queue to whichever thread is free, and comes back through
 * the loop's completions. Nothing is shared while it is out. The package knows neither sockets nor
 * bytes on them, and no HTTP beyond a request and its answer.
 *
 * <p>Called by {@code m0.connection} (submit, recall, completions) and {@code m0.host} (start, ready
 * wait, end, join). Begin with {@link m0.pool.Job}, then {@link m0.pool.Lane}.
 */
package m0.pool;
