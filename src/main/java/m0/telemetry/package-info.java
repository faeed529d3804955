/**
 * What an operator sees of a running host: its lines on stderr, the access log on stdout, the stall
 * watch, the metrics, and {@code /__live}, {@code /__ready} and {@code /__metrics}.
 *
 * <p>It implements what {@code m0.loop} and {@code m0.connection} declare, and those do not know
 * it. {@code m0.host} builds it and ends it. On a loop's thread it does a bounded amount of work;
 * what waits (writing to stdout, the stall watch's pause) has a thread of its own, whose class ends
 * in {@code Thread} and only calls a stepped class.
 *
 * <p>Start at {@link m0.telemetry.HostLog}; for metrics at {@link m0.telemetry.Meter}, which counts
 * in the page, and {@link m0.telemetry.MetricsText}, which reads it. The access log's classes, and Agrona with them, are
 * loaded only where it is on: nothing else may name them.
 */
package m0.telemetry;
