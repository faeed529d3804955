/**
 * Gates for several loops in one process: who gets a connection, what is each loop's own, and what
 * a start and a stop do to all of them.
 *
 * <p>Black boxes on {@link kit.ServerProcess}, served by {@code host_check}, whose {@code /instance}
 * names the loop that answers. A gate that needs connections on different loops proves first where
 * each of them sits ({@link kit.Seat}).
 */
package loops;
