/**
 * Gates for worker processes: the start and the stop of all, what becomes of one that dies, who gets
 * a connection, and what all of them share.
 *
 * <p>Black boxes on {@link kit.ServerProcess}, whose process is the supervisor; the workers are the
 * other processes of its group, and host_check's {@code /instance} says which of them has answered.
 * Nobody may be left when a server has ended, so most gates end with that.
 */
package workers;
