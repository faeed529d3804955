package m0.http.parse;

/**
 * Every reason for which the host itself refuses a request.
 *
 * <p>The answer has the status and says {@code Connection: close}. The names in small letters are the
 * values of the metric's {@code kind} label.
 */
public enum ProtocolViolation {
    BARE_LINE_BREAK(400, "a CR or LF stands alone", "RFC 9112 §2.2"),
    TOO_MANY_EMPTY_LINES(400, "too many empty lines before the request line", "RFC 9112 §2.2"),
    METHOD_SYNTAX(400, "the method is not a token", "RFC 9110 §9.1"),
    REQUEST_LINE_SYNTAX(400, "the request line is not method, blank, target, blank, version",
            "RFC 9112 §3"),
    TARGET_BYTE(400, "the target has a byte that is not allowed there", "RFC 9112 §3.2"),
    TARGET_FORM(400, "the target has no form that this method may use", "RFC 9112 §3.2"),
    TARGET_ESCAPE(400, "a percent escape in the path is malformed", "RFC 3986 §2.1"),
    TARGET_AUTHORITY(400, "the target's authority is not host and port", "RFC 9110 §4.2"),
    TARGET_TOO_LONG(414, "the target is too long", "RFC 9110 §15.5.15", "M0_MAX_TARGET"),
    CONNECT_UNSUPPORTED(501, "CONNECT is not served", "RFC 9110 §9.3.6"),
    VERSION_UNSUPPORTED(505, "only HTTP/1.1 and HTTP/1.0 are served", "RFC 9110 §2.5"),

    FOLDED_LINE(400, "a field line is folded", "RFC 9112 §5.2"),
    FIELD_NAME_SYNTAX(400, "a field name is not a token before a colon", "RFC 9112 §5.1"),
    FIELD_VALUE_BYTE(400, "a field value has a control byte", "RFC 9110 §5.5"),
    TOO_MANY_FIELDS(431, "the head has too many fields", "RFC 6585 §5"),
    HEAD_TOO_LARGE(431, "the head is too large", "RFC 6585 §5", "M0_MAX_HEAD"),

    HOST_MISSING(400, "there is no Host field", "RFC 9112 §3.2"),
    HOST_REPEATED(400, "there are two Host fields", "RFC 9112 §3.2"),
    HOST_SYNTAX(400, "the Host field is not host and port", "RFC 9110 §7.2"),
    LENGTH_SYNTAX(400, "Content-Length is not a number", "RFC 9110 §8.6"),
    LENGTH_REPEATED(400, "there are two Content-Length fields", "RFC 9112 §6.3"),
    LENGTH_AND_CODING(400, "there are Content-Length and Transfer-Encoding", "RFC 9112 §6.1"),
    CODING_SYNTAX(400, "Transfer-Encoding does not end in one plain chunked", "RFC 9112 §6.3"),
    CODING_REPEATED(400, "there are two Transfer-Encoding fields", "RFC 9112 §6.1"),
    CODING_UNSUPPORTED(501, "a transfer coding other than chunked is not served",
            "RFC 9112 §6.1"),
    EXPECTATION_UNKNOWN(417, "only 100-continue is expected here", "RFC 9110 §10.1.1"),

    BODY_TOO_LARGE(413, "the body is too large", "RFC 9110 §15.5.14", "M0_MAX_BODY"),
    CHUNK_SIZE_SYNTAX(400, "a chunk size is not up to 15 hexadecimal digits", "RFC 9112 §7.1"),
    CHUNK_EXTENSION_BYTE(400, "a chunk extension has a control byte", "RFC 9112 §7.1.1"),
    CHUNK_DATA_END(400, "a chunk's data does not end where its size says", "RFC 9112 §7.1"),
    CHUNK_OVERHEAD(400, "chunk extensions and trailers are too large", "RFC 9112 §7.1.1"),

    HEADER_TIMEOUT(408, "the head did not arrive in time", "RFC 9110 §15.5.9",
            "M0_HEADER_TIMEOUT_MS"),
    BODY_TIMEOUT(408, "the body did not arrive in time", "RFC 9110 §15.5.9",
            "M0_BODY_TIMEOUT_MS"),
    MEMORY_SHORT(503, "too many requests and answers are incomplete at once", "RFC 9110 §15.6.4",
            "-Xmx");

    private final int status;
    private final String text;
    private final String source;
    private final String setting;

    ProtocolViolation(int status, String text, String source) {
        this(status, text, source, "");
    }

    ProtocolViolation(int status, String text, String source, String setting) {
        this.status = status;
        this.text = text;
        this.source = source;
        this.setting = setting;
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

    /** What sets the limit: a variable such as {@code M0_MAX_BODY}, a JVM's flag, or nothing. */
    public String setting() {
        return setting;
    }
}
