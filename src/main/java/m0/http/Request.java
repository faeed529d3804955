package m0.http;

import java.net.InetSocketAddress;
import m0.bytes.Span;

/**
 * One request, whole: its head has been validated and its body has arrived.
 *
 * <p>The look-ups that return a {@code boolean}, an {@code int} or fill a {@link Span} allocate
 * nothing; those that return a {@code String}, an array or a {@code Request} do.
 *
 * <p>Threads: the one that answers it. Owns: nothing; it is valid until {@code handle} and
 * {@code afterResponse} have returned (on a lane until the completion is pushed), and
 * {@link #copy()} is for keeping it longer.
 */
public interface Request {
    Method method();

    /** The method's token as it was sent. */
    String methodName();

    /** The {@code N} of {@code HTTP/1.N}; 0 is HTTP/1.0, everything above is treated as 1. */
    int versionMinor();

    /**
     * Whether the path, percent escapes decoded, is exactly {@code path}.
     *
     * @param path an absolute path in ASCII, such as {@code /health}
     */
    boolean pathIs(String path);

    /** Whether the path, percent escapes decoded, begins with {@code prefix} (ASCII). */
    boolean pathStartsWith(String prefix);

    /** The path, percent escapes decoded once and read as UTF-8; {@code *} for {@code OPTIONS *}. */
    String path();

    /** The path as it was sent, escapes and all. */
    String rawPath();

    /** Points {@code path} at the path as it was sent. */
    void rawPath(Span path);

    /** The request target as it was sent (RFC 9112 §3.2). */
    String target();

    /** What follows the target's first {@code ?}, as it was sent; empty where there is none. */
    String query();

    /**
     * The first value of a query parameter, {@code +} read as a blank and escapes decoded.
     *
     * @return the value, empty for a bare name, or null where the parameter is absent
     */
    String queryParameter(String name);

    /** The authority: of an absolute-form target, otherwise the Host field; may be empty. */
    String authority();

    /** How many field lines the head had. */
    int fieldCount();

    /** The name of field line {@code index}, as it was sent. */
    String fieldName(int index);

    /** The value of field line {@code index}, without the blanks around it. */
    String fieldValue(int index);

    /**
     * Finds the first field line of that name, in any letter case.
     *
     * @param value filled in with the value's place when there is one
     * @return whether there is such a line
     */
    boolean header(String name, Span value);

    /** The first value of that field, or null where there is none. */
    String header(String name);

    /** Whether the first field line of that name has exactly this value, letter case ignored. */
    boolean headerIs(String name, String value);

    /** Whether {@code token} is an element of that field, a comma list over all its lines. */
    boolean headerHasToken(String name, String token);

    int bodyLength();

    /** Points {@code body} at the whole body, which is empty where the request had none. */
    void body(Span body);

    /** A copy of the whole body. */
    byte[] body();

    /** The peer's address, as the socket has it. */
    InetSocketAddress remote();

    /** The host's own address on that socket. */
    InetSocketAddress local();

    /** A request of its own bytes, valid for ever and on any thread. */
    Request copy();
}
