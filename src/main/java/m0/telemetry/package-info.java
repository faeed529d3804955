/**
 * What an operator sees of a running host: its lines on stderr, the access log on stdout, the stall
 * watch, and {@code /__live} and {@code /__ready}.
 *
 * <p>It implements what {@code m0.loop} and {@code m0.connection} declare, and those do not know
 * it. {@code m0.host} builds it and ends it. On a loop's thread it does a bounded amount of work;
 * what waits (writing to stdout, the stall watch's pause) has a thread of its own, whose class ends
 * in {@code Thread} and only calls a stepped class.
 *
 * <p>Start at {@link m0.telemetry.HostLog}. The access log's classes, and Agrona with them, are
 * loaded only where it is on: nothing else may name them.
 */
package m0.telemetry;
