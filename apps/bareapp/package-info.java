/**
 * A plain {@code HttpHandler} for the second host: routes for a bench, and what its gates ask for.
 *
 * <p>It knows the JDK's interface and nothing of ours. Start at {@link bareapp.BareApp}.
 */
package bareapp;
