package m0.serve;

/** A handler has returned, its exchange is open, and now nobody waits for it any more. */
final class UnclosedExchangeException extends Exception {
    private static final long serialVersionUID = 1;

    private UnclosedExchangeException(String end) {
        super("the handler has returned, and " + end, null, false, false);
    }

    /** It has not answered at all. */
    static UnclosedExchangeException unanswered() {
        return new UnclosedExchangeException("the exchange was never closed");
    }

    /** Its client went, it may be, before whoever writes the rest was through. */
    static UnclosedExchangeException unfinished() {
        return new UnclosedExchangeException("the connection ended before the exchange was closed");
    }
}
