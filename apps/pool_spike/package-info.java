/**
 * Shows what a lane is for: a route that is quick, one that blocks, one that computes, and who
 * answered each of them. What takes its time here sleeps, so that a probe measures threads that wait
 * and not a machine that is busy.
 *
 * <p>Start at {@link pool_spike.PoolSpike}; {@link pool_spike.PoolSpikeHandler} is the table of
 * routes. It knows the host only by {@code m0.app} and {@code m0.http}.
 */
package pool_spike;
