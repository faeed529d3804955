/**
 * The load: a closed loop of keep-alive connections driven by the calling thread, and one answer
 * fetched whole to learn its size.
 *
 * <p>It knows no server, measures nothing but latency and counts, and allocates nothing per
 * request. Start at {@link load.ClosedLoop}.
 */
package load;
