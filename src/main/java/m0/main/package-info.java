/**
 * The jar's entry. It knows which host a command line is for, and nothing else.
 *
 * <p>Who calls it: the JVM. Threads: the first one. Start at {@link m0.main.Main}.
 */
package m0.main;
