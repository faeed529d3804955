/**
 * Gates for one connection: what the server answers to bytes on the wire, when it gives a client
 * up, and what it costs to hold one that does nothing.
 *
 * <p>Black boxes on {@link kit.ServerProcess} and {@link kit.RawClient}, served by the applications
 * {@code echo} and {@code host_check}. The hostile inputs stand in tables beside the classes.
 */
package wire;
