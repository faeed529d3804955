/**
 * The shell around the loops: settings, ordered checks, the doctor, the listener, the loops'
 * threads, signals, the drain and the exit code.
 *
 * <p>It knows no route and parses no request. Who calls it: a {@code main}, through
 * {@link m0.host.Host#serve}, or an embedder, through {@link m0.host.Server}. Threads: the
 * spawning thread, which coordinates; one for each loop, which it starts; the JVM's signal
 * threads. Where to start: {@link m0.host.Setting} is the one table of settings, {@code Host} the
 * way of a start from the command line to the exit code, {@code Server} a server's life.
 */
package m0.host;
