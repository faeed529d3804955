package m0.http.parse;

/** How a request's body is delimited (RFC 9112 §6.3). */
public enum Framing {
    /** There is none. */
    NONE,
    /** As many bytes as {@code Content-Length} says. */
    LENGTH,
    /** The chunked coding, {@link ChunkedBody}. */
    CHUNKED
}
