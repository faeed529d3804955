package m0.http.parse;

import m0.bytes.Ascii;
import m0.bytes.Decimal;
import m0.http.Limits;

/**
 * The fields that decide where a request ends and what becomes of its connection: Host,
 * Content-Length, Transfer-Encoding, Connection, Expect.
 *
 * <p>Each is recognised once, when its line has ended, and what contradicts another is refused
 * there; what only the whole head can tell is asked at its end. The result depends on nothing but
 * the head's bytes.
 *
 * <p>Threads: one at a time. Errors: a {@link ProtocolViolation}, or null where all is well.
 */
final class FramingFields {
    private static final String CHUNKED = "chunked";

    private boolean hostSeen;
    private int hostAt;
    private int hostTo;
    private long contentLength;
    private boolean codingSeen;
    private boolean closeAsked;
    private boolean keepAliveAsked;
    private boolean continueExpected;

    void reset() {
        hostSeen = false;
        contentLength = -1;
        codingSeen = false;
        closeAsked = false;
        keepAliveAsked = false;
        continueExpected = false;
    }

    /** Takes one whole field line into account. */
    ProtocolViolation onLine(byte[] array, int nameAt, int nameTo, int valueAt, int valueTo,
            int minor) {
        return switch (nameTo - nameAt) {
            case 4 -> isNamed(array, nameAt, nameTo, "host")
                    ? onHost(array, valueAt, valueTo) : null;
            case 6 -> isNamed(array, nameAt, nameTo, "expect")
                    ? onExpect(array, valueAt, valueTo, minor) : null;
            case 10 -> isNamed(array, nameAt, nameTo, "connection")
                    ? onConnection(array, valueAt, valueTo) : null;
            case 14 -> isNamed(array, nameAt, nameTo, "content-length")
                    ? onLength(array, valueAt, valueTo) : null;
            case 17 -> isNamed(array, nameAt, nameTo, "transfer-encoding")
                    ? onCoding(array, valueAt, valueTo) : null;
            default -> null;
        };
    }

    private static boolean isNamed(byte[] array, int nameAt, int nameTo, String name) {
        return Ascii.lower(array[nameAt]) == name.charAt(0)
                && Ascii.equalIgnoringCase(array, nameAt, nameTo, name);
    }

    private ProtocolViolation onHost(byte[] array, int from, int to) {
        if (hostSeen) {
            return ProtocolViolation.HOST_REPEATED;
        }
        hostSeen = true;
        hostAt = from;
        hostTo = to;
        return from == to || Authority.isHostAndPort(array, from, to)
                ? null : ProtocolViolation.HOST_SYNTAX;
    }

    private ProtocolViolation onLength(byte[] array, int from, int to) {
        if (contentLength >= 0) {
            return ProtocolViolation.LENGTH_REPEATED;
        }
        if (codingSeen) {
            return ProtocolViolation.LENGTH_AND_CODING;
        }
        contentLength = Decimal.parse(array, from, to);
        return contentLength >= 0 ? null : ProtocolViolation.LENGTH_SYNTAX;
    }

    private ProtocolViolation onCoding(byte[] array, int from, int to) {
        if (codingSeen) {
            return ProtocolViolation.CODING_REPEATED;
        }
        if (contentLength >= 0) {
            return ProtocolViolation.LENGTH_AND_CODING;
        }
        codingSeen = true;
        return checkCodings(array, from, to);
    }

    /** The list must be of plain tokens and end in its one {@code chunked}. */
    private static ProtocolViolation checkCodings(byte[] array, int from, int to) {
        int count = 0;
        int at = from;
        while (true) {
            int end = FieldList.elementEnd(array, at, to);
            boolean chunked = FieldList.isElement(array, at, end, CHUNKED);
            if (chunked != (end == to) || !isToken(array, at, end)) {
                return ProtocolViolation.CODING_SYNTAX;
            }
            count++;
            if (end == to) {
                return count == 1 ? null : ProtocolViolation.CODING_UNSUPPORTED;
            }
            at = end + 1;
        }
    }

    private static boolean isToken(byte[] array, int from, int to) {
        int at = FieldList.skipBlanks(array, from, to);
        int end = FieldList.trimBlanks(array, at, to);
        for (int index = at; index < end; index++) {
            if (!Ascii.is(array[index], Ascii.TOKEN)) {
                return false;
            }
        }
        return end > at;
    }

    private ProtocolViolation onConnection(byte[] array, int from, int to) {
        closeAsked |= FieldList.contains(array, from, to, "close");
        keepAliveAsked |= FieldList.contains(array, from, to, "keep-alive");
        return null;
    }

    /** HTTP/1.0 has no expectations, and a server ignores what it does not have. */
    private ProtocolViolation onExpect(byte[] array, int from, int to, int minor) {
        if (minor == 0) {
            return null;
        }
        int at = from;
        while (at < to) {
            int end = FieldList.elementEnd(array, at, to);
            if (!FieldList.isElement(array, at, end, "100-continue")) {
                return ProtocolViolation.EXPECTATION_UNKNOWN;
            }
            at = end + 1;
        }
        continueExpected |= from < to;
        return null;
    }

    /** What only the whole head can tell. */
    ProtocolViolation onEnd(int minor, boolean targetHasAuthority, Limits limits) {
        if (!hostSeen && minor > 0) {
            return ProtocolViolation.HOST_MISSING;
        }
        if (hostSeen && hostAt == hostTo && targetHasAuthority) {
            return ProtocolViolation.HOST_SYNTAX;
        }
        return contentLength > limits.bodyBytesMax() ? ProtocolViolation.BODY_TOO_LARGE : null;
    }

    boolean hostSeen() {
        return hostSeen;
    }

    /** Where Host's value lies; meaningless unless {@link #hostSeen()}. */
    int hostAt() {
        return hostAt;
    }

    int hostTo() {
        return hostTo;
    }

    Framing framing() {
        if (codingSeen) {
            return Framing.CHUNKED;
        }
        return contentLength >= 0 ? Framing.LENGTH : Framing.NONE;
    }

    /** The announced length; 0 where none was announced. */
    long contentLength() {
        return Math.max(contentLength, 0);
    }

    /**
     * Whether the connection may stay: HTTP/1.0 must ask for it, and a coding in HTTP/1.0 was
     * perhaps passed on by somebody who did not understand it (RFC 9112 §6.1).
     */
    boolean keepAlive(int minor) {
        return !closeAsked && (minor > 0 || keepAliveAsked && !codingSeen);
    }

    /** Whether the client waits for a 100 before it sends the body that it announced. */
    boolean expectsContinue() {
        return continueExpected && (codingSeen || contentLength > 0);
    }
}
