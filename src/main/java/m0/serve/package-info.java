/**
 * The second host: a synchronous application that speaks the JDK's own
 * {@code com.sun.net.httpserver}, on the loops and lanes of the first.
 *
 * <p>It comes in two shapes. {@link m0.serve.ServeCommand} is the subcommand {@code serve}: one
 * {@code HttpHandler} beside applications of ours that are mounted under prefixes, each on a lane of
 * its own. {@link m0.serve.Provider} takes the place of the JDK's server in a program that knows
 * nothing of us. Both answer through {@link m0.serve.HostExchange}.
 *
 * <p>It knows the host's start and stop by {@code m0.host} alone. Who calls it: {@code m0.main}, and
 * the JDK. Threads: handlers run on lanes; what is said to run on a loop returns at once.
 */
package m0.serve;
