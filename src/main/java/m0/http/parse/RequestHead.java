package m0.http.parse;

import m0.bytes.Ascii;
import m0.bytes.Span;
import m0.http.Limits;
import m0.http.Method;

/**
 * Reads one request head, as far as bytes have come, and is then the request.
 *
 * <p>It goes over the bytes once and remembers where it stopped, so that any split costs nothing
 * and changes nothing. A byte that is not allowed is refused by the call that brings it.
 *
 * <pre>
 *          CRLF, at most 4
 *            +------+
 *            v      |            SP           SP           CR            LF
 *  begin -> START --+-> METHOD -----> TARGET ----> VERSION --> LINE_BREAK -+
 *                                                                         |
 *       +-----------------------------------------------------------------+
 *       v      tchar         ":"                CR              LF
 *    LINE_START ----> NAME ------> BLANK --> VALUE -> VALUE_BREAK --> LINE_START
 *       |                          SP, TAB   octets
 *       | CR              LF
 *       +----> END_BREAK ----> DONE                  any other byte, a limit -> BAD
 * </pre>
 *
 * <p>Threads: one at a time. Owns: the table of field lines; the bytes are the connection's, and
 * stay as they are until the request is answered. Limits: {@link Limits}; the head's bytes are
 * counted from the request line's first one. Errors: a {@link ProtocolViolation}, which stays.
 */
public final class RequestHead extends HeadView {
    /** A robust server skips an empty line that an old client sent after a body; not many. */
    static final int EMPTY_LINES_MAX = 4;

    private static final int START = 0;
    private static final int START_BREAK = 1;
    private static final int METHOD = 2;
    private static final int TARGET = 3;
    private static final int VERSION = 4;
    private static final int LINE_BREAK = 5;
    private static final int LINE_START = 6;
    private static final int NAME = 7;
    private static final int BLANK = 8;
    private static final int VALUE = 9;
    private static final int VALUE_BREAK = 10;
    private static final int END_BREAK = 11;
    private static final int DONE = 12;
    private static final int BAD = 13;

    private static final String PROTOCOL = "HTTP/";
    private static final int VERSION_LENGTH = "HTTP/1.1".length();
    private static final String[] SCHEMES = {"http://", "https://"};

    private final Limits limits;
    private final FramingFields framing = new FramingFields();

    private int state;
    private int at;
    private int emptyLines;
    private boolean targetKnown;
    private int versionAt;
    private int nameAt;
    private int nameTo;
    private int valueAt;
    private boolean absoluteTarget;
    private ProtocolViolation violation;

    public RequestHead(Limits limits) {
        this.limits = limits;
        begin(0);
    }

    /** Forgets everything; the next head starts at index {@code from} of the array to come. */
    public void begin(int from) {
        reset(from);
        framing.reset();
        state = START;
        at = from;
        emptyLines = 0;
        targetKnown = false;
        absoluteTarget = false;
        violation = null;
    }

    /**
     * Reads on.
     *
     * @param array holds the head from the index given to {@link #begin}; a later call may give
     *     another array with the same bytes at the same indexes, also after {@code DONE}
     * @param to the index after the last byte that has come
     */
    public Outcome parse(byte[] array, int to) {
        this.array = array;
        if (state <= START_BREAK) {
            skipEmptyLines(to);
        }
        if (state >= METHOD && state < DONE) {
            // A byte beyond the limit is not looked at; that it is there is enough.
            boolean tooMany = to - headAt > limits.headBytesMax();
            read(tooMany ? headAt + limits.headBytesMax() : to);
            if (tooMany && state < DONE) {
                refuse(ProtocolViolation.HEAD_TOO_LARGE);
            }
        }
        if (state < DONE) {
            return Outcome.NEED_MORE;
        }
        return state == DONE ? Outcome.DONE : Outcome.BAD;
    }

    private void skipEmptyLines(int to) {
        while (at < to) {
            byte octet = array[at];
            if (state == START_BREAK) {
                if (octet != '\n') {
                    refuse(ProtocolViolation.BARE_LINE_BREAK);
                    return;
                }
                state = START;
            } else if (octet == '\r') {
                if (emptyLines == EMPTY_LINES_MAX) {
                    refuse(ProtocolViolation.TOO_MANY_EMPTY_LINES);
                    return;
                }
                emptyLines++;
                state = START_BREAK;
            } else {
                headAt = at;
                state = METHOD;
                return;
            }
            at++;
        }
    }

    /** Request line first; each part falls through to the next one when it has its end. */
    private void read(int end) {
        if (state < LINE_START && !readRequestLine(end)) {
            return;
        }
        readFields(end);
    }

    /** Whether the request line is whole and the first field line may follow. */
    @SuppressWarnings("fallthrough")
    private boolean readRequestLine(int end) {
        byte[] bytes = array;
        switch (state) {
            case METHOD:
                at = skipTokens(bytes, at, end);
                if (at == end || !endMethod(bytes[at])) {
                    return false;
                }
                // falls through
            case TARGET:
                if (!readTarget(bytes, end)) {
                    return false;
                }
                // falls through
            case VERSION:
                if (!readVersion(bytes, end)) {
                    return false;
                }
                // falls through
            default:
                if (at == end) {
                    return false;
                }
                if (bytes[at] != '\n') {
                    return refuse(ProtocolViolation.BARE_LINE_BREAK);
                }
                at++;
                state = LINE_START;
                return true;
        }
    }

    private static int skipTokens(byte[] bytes, int from, int end) {
        int index = from;
        while (index < end && Ascii.is(bytes[index], Ascii.TOKEN)) {
            index++;
        }
        return index;
    }

    private boolean endMethod(byte octet) {
        if (at == headAt || octet != ' ') {
            return refuse(lineBreakOr(octet, ProtocolViolation.METHOD_SYNTAX));
        }
        methodAt = headAt;
        methodTo = at++;
        targetAt = at;
        queryAt = 0;
        state = TARGET;
        return true;
    }

    /** Runs over the target; a first {@code ?} ends the path, a {@code %} needs decoding there. */
    private boolean readTarget(byte[] bytes, int end) {
        int limit = end - targetAt > limits.targetBytesMax()
                ? targetAt + limits.targetBytesMax() + 1 : end;
        int index = at;
        while (index < limit) {
            byte octet = bytes[index];
            if (!Ascii.is(octet, Ascii.TARGET)) {
                if (octet == '?') {
                    queryAt = queryAt == 0 ? index + 1 : queryAt;
                } else if (octet == '%') {
                    pathEscaped |= queryAt == 0;
                } else {
                    break;
                }
            }
            index++;
        }
        if (index - targetAt > limits.targetBytesMax()) {
            at = index - 1;
            return refuse(ProtocolViolation.TARGET_TOO_LONG);
        }
        at = index;
        return index < end && endTarget(bytes[index]);
    }

    private boolean endTarget(byte octet) {
        if (octet != ' ') {
            return refuse(lineBreakOr(octet, octet == '\r' || octet == '\t'
                    ? ProtocolViolation.REQUEST_LINE_SYNTAX : ProtocolViolation.TARGET_BYTE));
        }
        if (at == targetAt) {
            return refuse(ProtocolViolation.REQUEST_LINE_SYNTAX);
        }
        targetTo = at++;
        versionAt = at;
        state = VERSION;
        return true;
    }

    private boolean readVersion(byte[] bytes, int end) {
        int index = at;
        int to = versionAt + VERSION_LENGTH;
        while (index < end && index < to && fitsVersion(bytes[index], index - versionAt)) {
            index++;
        }
        at = index;
        if (index == end) {
            return false;
        }
        if (index < to || bytes[index] != '\r') {
            return refuse(lineBreakOr(bytes[index], ProtocolViolation.REQUEST_LINE_SYNTAX));
        }
        return endVersion();
    }

    private static boolean fitsVersion(byte octet, int position) {
        if (position < PROTOCOL.length()) {
            return octet == PROTOCOL.charAt(position);
        }
        return position == PROTOCOL.length() + 1 ? octet == '.' : Ascii.is(octet, Ascii.DIGIT);
    }

    /** The request line is whole but for its LF: what its three parts mean together. */
    private boolean endVersion() {
        if (array[versionAt + PROTOCOL.length()] != '1') {
            return refuse(ProtocolViolation.VERSION_UNSUPPORTED);
        }
        minor = array[at - 1] - '0';
        method = methodOf(array, methodAt, methodTo);
        targetKnown = true;
        ProtocolViolation found = splitTarget();
        if (found != null) {
            return refuse(found);
        }
        at++;
        state = LINE_BREAK;
        return true;
    }

    private static Method methodOf(byte[] array, int from, int to) {
        return switch (to - from) {
            case 3 -> known(array, from, to, Method.GET, Method.PUT);
            case 4 -> known(array, from, to, Method.POST, Method.HEAD);
            case 5 -> known(array, from, to, Method.PATCH, Method.TRACE);
            case 6 -> known(array, from, to, Method.DELETE, Method.OTHER);
            case 7 -> known(array, from, to, Method.OPTIONS, Method.CONNECT);
            default -> Method.OTHER;
        };
    }

    private static Method known(byte[] array, int from, int to, Method one, Method two) {
        if (Ascii.equal(array, from, to, one.name())) {
            return one;
        }
        return Ascii.equal(array, from, to, two.name()) ? two : Method.OTHER;
    }

    /** Finds path, query and authority, and refuses a form that the method may not use. */
    private ProtocolViolation splitTarget() {
        byte[] bytes = array;
        pathAt = targetAt;
        pathTo = queryAt == 0 ? targetTo : queryAt - 1;
        queryAt = queryAt == 0 ? targetTo : queryAt;
        queryTo = targetTo;
        authorityAt = targetAt;
        authorityTo = targetAt;
        if (method == Method.CONNECT) {
            return ProtocolViolation.CONNECT_UNSUPPORTED;
        }
        if (bytes[targetAt] != '/') {
            if (Ascii.equal(bytes, targetAt, targetTo, "*")) {
                return method == Method.OPTIONS ? null : ProtocolViolation.TARGET_FORM;
            }
            ProtocolViolation found = splitAbsolute();
            if (found != null) {
                return found;
            }
        }
        return pathEscaped && !Escapes.areWellFormed(bytes, pathAt, pathTo)
                ? ProtocolViolation.TARGET_ESCAPE : null;
    }

    /** {@code http://authority/path}: the authority is the request's, whatever Host says. */
    private ProtocolViolation splitAbsolute() {
        authorityAt = schemeEnd();
        if (authorityAt < 0) {
            authorityAt = targetAt;
            return ProtocolViolation.TARGET_FORM;
        }
        int index = authorityAt;
        while (index < pathTo && array[index] != '/') {
            index++;
        }
        authorityTo = index;
        pathAt = index;
        pathEscaped &= pathTo > pathAt;
        absoluteTarget = true;
        return Authority.isHostAndPort(array, authorityAt, authorityTo)
                ? null : ProtocolViolation.TARGET_AUTHORITY;
    }

    private int schemeEnd() {
        for (String scheme : SCHEMES) {
            int end = targetAt + scheme.length();
            if (end <= targetTo && Ascii.equalIgnoringCase(array, targetAt, end, scheme)) {
                return end;
            }
        }
        return -1;
    }

    /** Field line after field line, up to the empty one. */
    @SuppressWarnings("fallthrough")
    private void readFields(int end) {
        byte[] bytes = array;
        while (at < end) {
            switch (state) {
                case LINE_START:
                    if (bytes[at] == '\r') {
                        at++;
                        state = END_BREAK;
                        continue;
                    }
                    if (!beginLine(bytes[at])) {
                        return;
                    }
                    // falls through
                case NAME:
                    at = skipTokens(bytes, at, end);
                    if (at == end || !endName(bytes[at])) {
                        return;
                    }
                    // falls through
                case BLANK:
                    at = FieldList.skipBlanks(bytes, at, end);
                    if (at == end) {
                        return;
                    }
                    valueAt = at;
                    state = VALUE;
                    // falls through
                case VALUE:
                    at = skipValue(bytes, at, end);
                    if (at == end || !endValue(bytes[at])) {
                        return;
                    }
                    // falls through
                case VALUE_BREAK:
                    if (at == end || !endLine(bytes)) {
                        return;
                    }
                    continue;
                default:
                    endHead(bytes[at]);
                    return;
            }
        }
    }

    private boolean beginLine(byte octet) {
        if (FieldList.isBlank(octet)) {
            return refuse(ProtocolViolation.FOLDED_LINE);
        }
        if (lineCount == Limits.FIELDS_MAX) {
            return refuse(ProtocolViolation.TOO_MANY_FIELDS);
        }
        nameAt = at;
        state = NAME;
        return true;
    }

    private boolean endName(byte octet) {
        if (octet != ':' || at == nameAt) {
            return refuse(lineBreakOr(octet, ProtocolViolation.FIELD_NAME_SYNTAX));
        }
        nameTo = at++;
        state = BLANK;
        return true;
    }

    private static int skipValue(byte[] bytes, int from, int end) {
        int index = from;
        while (index < end && Ascii.is(bytes[index], Ascii.VALUE)) {
            index++;
        }
        return index;
    }

    private boolean endValue(byte octet) {
        if (octet != '\r') {
            return refuse(lineBreakOr(octet, ProtocolViolation.FIELD_VALUE_BYTE));
        }
        at++;
        state = VALUE_BREAK;
        return true;
    }

    /** At the LF: the line is whole, and its CR stands before it. */
    private boolean endLine(byte[] bytes) {
        if (bytes[at] != '\n') {
            return refuse(ProtocolViolation.BARE_LINE_BREAK);
        }
        int valueTo = FieldList.trimBlanks(bytes, valueAt, at - 1);
        addLine(nameAt, nameTo, valueAt, valueTo);
        var found = framing.onLine(bytes, nameAt, nameTo, valueAt, valueTo, minor);
        if (found != null) {
            return refuse(found);
        }
        at++;
        state = LINE_START;
        return true;
    }

    /** At the LF of the empty line: what only the whole head can tell. */
    private void endHead(byte octet) {
        if (octet != '\n') {
            refuse(ProtocolViolation.BARE_LINE_BREAK);
            return;
        }
        var found = framing.onEnd(minor, absoluteTarget, limits);
        if (found != null) {
            refuse(found);
            return;
        }
        if (framing.hostSeen()) {
            joinHostAndTarget();
        }
        at++;
        headTo = at;
        state = DONE;
    }

    private void joinHostAndTarget() {
        if (absoluteTarget) {
            // RFC 9112 §3.2.2: whatever Host says is ignored, so nobody gets to see it.
            replaceValue(framing.hostAt(), authorityAt, authorityTo);
        } else {
            authorityAt = framing.hostAt();
            authorityTo = framing.hostTo();
        }
    }

    /** The kind for an octet that may not stand where it does: a lone LF has its own. */
    private static ProtocolViolation lineBreakOr(byte octet, ProtocolViolation other) {
        return octet == '\n' ? ProtocolViolation.BARE_LINE_BREAK : other;
    }

    /** False, for the caller to pass on. */
    private boolean refuse(ProtocolViolation found) {
        violation = found;
        state = BAD;
        return false;
    }

    /** Whether any byte beyond skipped empty lines has been seen. */
    public boolean started() {
        return state > START_BREAK;
    }

    /** The index of the head's first byte, behind empty lines. */
    public int start() {
        return headAt;
    }

    /** After {@code DONE} the index after the head's last byte, after {@code BAD} the refused one's. */
    public int position() {
        return at;
    }

    /** Why it is {@code BAD}, otherwise null. */
    public ProtocolViolation violation() {
        return violation;
    }

    /** Whether method, target and version were read, for the log of a refused request. */
    public boolean targetKnown() {
        return targetKnown;
    }

    /** Points {@code span} at the method as it was sent; empty until {@link #targetKnown()}. */
    public void methodSpan(Span span) {
        part(span, methodAt, methodTo);
    }

    /** Points {@code span} at the target as it was sent; empty until {@link #targetKnown()}. */
    public void targetSpan(Span span) {
        part(span, targetAt, targetTo);
    }

    private void part(Span span, int from, int to) {
        span.set(array, from, targetKnown ? to - from : 0);
    }

    public Framing framing() {
        return framing.framing();
    }

    /** The announced length of the body; 0 where none was announced. */
    public long contentLength() {
        return framing.contentLength();
    }

    /** Whether the request lets the connection stay open after its answer. */
    public boolean keepAlive() {
        return framing.keepAlive(minor);
    }

    /** Whether the answer must say {@code keep-alive}: HTTP/1.0 does not take it for granted. */
    public boolean keepAliveTold() {
        return minor == 0 && keepAlive();
    }

    /** Whether the client holds a body back until it gets a 100; never in HTTP/1.0. */
    public boolean expectsContinue() {
        return framing.expectsContinue();
    }

    /** Whether it is {@code OPTIONS *}, which asks the host and not the application. */
    public boolean isServerWideOptions() {
        return targetTo - targetAt == 1 && array[targetAt] == '*';
    }
}
