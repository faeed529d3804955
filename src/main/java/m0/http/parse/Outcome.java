package m0.http.parse;

/** What a parser says after it was given bytes. */
public enum Outcome {
    /** Everything so far is well formed, and there must be more. */
    NEED_MORE,
    /** The part is complete; what follows belongs to the next one. */
    DONE,
    /** It is refused, and stays refused whatever follows. */
    BAD
}
