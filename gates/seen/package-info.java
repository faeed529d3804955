/**
 * Gates for what an operator sees of a running host: the access log, the stall watch, and the
 * health routes (SPEC section F).
 *
 * <p>Black boxes on {@link kit.ServerProcess} and {@link kit.RawClient}; {@link seen.LogLine} is
 * the one reader of access log lines, and a strict one.
 */
package seen;
