/**
 * The floor: what a Java server costs that does nothing but wait, read, find the end of a request
 * and write an answer it was given. Every ratio of the benches is a ratio to it.
 *
 * <p>It knows no HTTP beyond the blank line and nothing of the host. Start at
 * {@link floor.BareSelector}.
 */
package floor;
