package m0.ws;

/**
 * Why a WebSocket is closed, and which codes may stand in a close frame (RFC 6455 §7.4).
 *
 * <pre>
 *    0..999    never valid
 * 1000..1003   sent and taken
 * 1004..1006   reserved; 1005 and 1006 are for use at home, never on the wire
 * 1007..1011   sent and taken
 * 1012..1014   registered with IANA since the RFC (restart, try later, bad gateway): taken
 * 1015..2999   reserved for the protocol and its extensions, of which none is agreed to
 * 3000..4999   libraries and applications
 * 5000..       never valid
 * </pre>
 */
public final class CloseCode {
    public static final int NORMAL = 1000;
    public static final int GOING_AWAY = 1001;
    public static final int PROTOCOL_ERROR = 1002;
    /** What a close frame without a code is reported as. */
    public static final int NONE = 1005;
    public static final int BAD_DATA = 1007;
    public static final int POLICY = 1008;
    public static final int TOO_BIG = 1009;
    public static final int FAILURE = 1011;

    private CloseCode() { }

    /** Whether a close frame may carry this code. */
    public static boolean isValid(int code) {
        return code >= 1000 && code <= 1003
                || code >= 1007 && code <= 1014
                || code >= 3000 && code <= 4999;
    }
}
