package m0.pool;

/**
 * Why a lane is not ready.
 *
 * @param thread the pool thread whose handler is missing
 * @param cause what its making threw, or null where it is still being made
 */
public record Shortfall(int thread, Throwable cause) { }
