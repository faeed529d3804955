/**
 * The words that loops share: the last event id, a line for each loop that its siblings read to
 * share what is accepted, and the application's own words.
 *
 * <p>It knows nothing of loops, selectors and applications beyond their words. Within one JVM the
 * page is memory of its own; supervisor and workers map the same layout from a file.
 *
 * <p>Threads: each word names its writers. Start reading at {@link m0.page.Page}.
 */
package m0.page;
