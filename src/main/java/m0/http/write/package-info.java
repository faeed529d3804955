/**
 * Writes what goes out before a response's body.
 *
 * <p>It knows no socket and no connection: they say what the moment adds (the date, whether the
 * connection stays). The connection calls it on its loop, into its own buffer. Start at
 * {@link m0.http.write.ResponseHead}.
 */
package m0.http.write;
