/**
 * The shell around the loops: settings, ordered checks, the doctor, the listener, the loops'
 * threads, signals, the drain and the exit code.
 *
 * <p>It knows no route and parses no request, and what it serves is handed to it: a
 * {@link m0.host.Service}, which a {@link m0.host.HostProgram} chooses by the settings. Who calls it: a
 * {@code main}, through {@link m0.host.Host#serve}, another host's command, through
 * {@link m0.host.Host#run}, or an embedder, through {@link m0.host.Server}. Threads: the
 * spawning thread, which coordinates; one for each loop, which it starts; the JVM's signal
 * threads; in a supervisor of workers some for each of them, which leave events for the one that
 * decides. Where to start: {@link m0.host.Setting} is the one table of settings, {@code Host} the
 * way of a start from the command line to the exit code, {@code Server} a server's life, {@code
 * Supervision} what becomes of workers.
 */
package m0.host;
