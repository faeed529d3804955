package m0.http.parse;

/** Every reason for which the host itself refuses a request. */
public enum ProtocolViolation {
    BARE_LINE_BREAK(400, "bare CR or LF in the head", "RFC 9112 §2.2");

    private final int status;
    private final String text;
    private final String source;

    ProtocolViolation(int status, String text, String source) {
        this.status = status;
        this.text = text;
        this.source = source;
    }

    public int status() {
        return status;
    }

    /** A sentence for the answer's body and the log; it holds nothing of the peer's. */
    public String text() {
        return text;
    }

    /** Where the rule comes from. */
    public String source() {
        return source;
    }
}
