package m0.ws;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import m0.bytes.Ascii;
import m0.http.Method;
import m0.http.Request;

/**
 * Whether a request may become a WebSocket, and what proves to the client that it was understood
 * (RFC 6455 §4.2).
 *
 * <p>Threads: any.
 */
public final class Handshake {
    static final String VERSION = "13";

    private static final String KEY = "Sec-WebSocket-Key";
    /** Sixteen bytes in base64. */
    private static final int KEY_LENGTH = 24;
    private static final String KEY_PADDING = "==";
    private static final String ACCEPT_SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private Handshake() { }

    /** Judges a request; the first rule it breaks decides. */
    public static HandshakeVerdict check(Request request, Origins origins) {
        if (request.method() != Method.GET) {
            return HandshakeVerdict.NOT_GET;
        }
        // RFC 9110 §7.8: an Upgrade in HTTP/1.0 is to be ignored.
        if (request.versionMinor() == 0
                || !request.headerHasToken("Upgrade", "websocket")
                || !request.headerHasToken("Connection", "upgrade")) {
            return HandshakeVerdict.NOT_AN_UPGRADE;
        }
        if (!VERSION.equals(onlyValue(request, "Sec-WebSocket-Version"))) {
            return HandshakeVerdict.WRONG_VERSION;
        }
        if (!isKey(onlyValue(request, KEY))) {
            return HandshakeVerdict.BAD_KEY;
        }
        return origins.admit(request) ? HandshakeVerdict.SWITCH : HandshakeVerdict.ORIGIN_REFUSED;
    }

    /** The value of {@code Sec-WebSocket-Accept} for the request's key. */
    public static String accept(String key) {
        byte[] salted = (key + ACCEPT_SALT).getBytes(StandardCharsets.ISO_8859_1);
        return Base64.getEncoder().encodeToString(sha1().digest(salted));
    }

    /** The value of a field that must stand there once; null where it does not or twice. */
    static String onlyValue(Request request, String name) {
        String value = null;
        for (int index = 0; index < request.fieldCount(); index++) {
            if (request.fieldName(index).equalsIgnoreCase(name)) {
                if (value != null) {
                    return null;
                }
                value = request.fieldValue(index);
            }
        }
        return value;
    }

    private static boolean isKey(String key) {
        if (key == null || key.length() != KEY_LENGTH || !key.endsWith(KEY_PADDING)) {
            return false;
        }
        for (int index = 0; index < KEY_LENGTH - KEY_PADDING.length(); index++) {
            char each = key.charAt(index);
            if (!isBase64(each)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBase64(char each) {
        return each >= 'A' && each <= 'Z' || each >= 'a' && each <= 'z'
                || Ascii.is(each, Ascii.DIGIT) || each == '+' || each == '/';
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-1", missing);
        }
    }
}
