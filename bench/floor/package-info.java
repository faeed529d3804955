/**
 * What ours is measured beside: what a Java server costs that does nothing but wait, read, find the
 * end of a request and write an answer it was given, a program that does nothing but end, and the
 * JDK's own server with an application of ours.
 *
 * <p>It knows no HTTP beyond the blank line and nothing of the host. Start at
 * {@link floor.BareSelector}.
 */
package floor;
