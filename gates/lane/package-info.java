/**
 * Gates of the lane: the pool threads behind a loop, what they may and may not hold up, whose a
 * request is while one of them has it, and what becomes of those there are too many of. Black boxes
 * around {@code target/host.jar}.
 *
 * <p>Most serve pool_spike, whose answers name the thread that gave them ({@link lane.Said}), or
 * host_check. Start at {@link lane.LaneGate} or {@link lane.PlacementGate}.
 */
package lane;
