package m0.loop;

/**
 * How one loop behaves.
 *
 * @param acceptBatch connections accepted in one pass; 0 for the whole backlog
 * @param drainTimeoutNs how long a drain waits for connections at work
 */
public record LoopConfig(int acceptBatch, long drainTimeoutNs) { }
