package m0.http.parse;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import m0.bytes.Ascii;
import m0.bytes.Span;
import m0.http.Method;
import m0.http.Request;

/**
 * What a head that has been read says: where its parts lie in an array, and the look-ups over them.
 *
 * <p>Names end in {@code At} for a part's first index and in {@code To} for the index after its
 * last. The parser fills this in ({@link RequestHead}), or a copy freezes it ({@link RequestCopy}).
 *
 * <p>Threads: one at a time. Owns: the table of field lines; the arrays are the connection's.
 */
abstract class HeadView implements Request {
    /** Indexes kept for each field line: name at, name to, value at, value to. */
    static final int LINE = 4;
    private static final int LINES_FIRST = 16;
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] ROOT = {'/'};

    byte[] array = NOTHING;
    int headAt;
    int headTo;
    Method method = Method.OTHER;
    int methodAt;
    int methodTo;
    int minor = 1;
    int targetAt;
    int targetTo;
    int pathAt;
    int pathTo;
    boolean pathEscaped;
    int queryAt;
    int queryTo;
    int authorityAt;
    int authorityTo;
    int[] lines;
    int lineCount;

    private byte[] bodyArray = NOTHING;
    private int bodyAt;
    private int bodyLength;
    private InetSocketAddress remote;
    private InetSocketAddress local;

    HeadView() {
        lines = new int[LINE * LINES_FIRST];
    }

    /** A view of {@code source}'s head and body in an array of its own. */
    HeadView(HeadView source) {
        int headLength = source.headTo - source.headAt;
        int shift = source.headAt;
        array = new byte[headLength + source.bodyLength];
        System.arraycopy(source.array, source.headAt, array, 0, headLength);
        System.arraycopy(source.bodyArray, source.bodyAt, array, headLength, source.bodyLength);
        bodyArray = array;
        bodyAt = headLength;
        bodyLength = source.bodyLength;
        headTo = headLength;
        method = source.method;
        methodAt = source.methodAt - shift;
        methodTo = source.methodTo - shift;
        minor = source.minor;
        targetAt = source.targetAt - shift;
        targetTo = source.targetTo - shift;
        pathAt = source.pathAt - shift;
        pathTo = source.pathTo - shift;
        pathEscaped = source.pathEscaped;
        queryAt = source.queryAt - shift;
        queryTo = source.queryTo - shift;
        authorityAt = source.authorityAt - shift;
        authorityTo = source.authorityTo - shift;
        lineCount = source.lineCount;
        lines = Arrays.copyOf(source.lines, LINE * lineCount);
        for (int index = 0; index < lines.length; index++) {
            lines[index] -= shift;
        }
        remote = source.remote;
        local = source.local;
    }

    /**
     * Lets go of the last request: its bytes, and what is asked of a head before it is whole. The
     * places of its parts mean nothing until the request line is read.
     */
    final void reset(int from) {
        array = NOTHING;
        headAt = from;
        headTo = from;
        method = Method.OTHER;
        minor = 1;
        pathEscaped = false;
        lineCount = 0;
        bodyArray = NOTHING;
        bodyAt = 0;
        bodyLength = 0;
    }

    final void addLine(int nameAt, int nameTo, int valueAt, int valueTo) {
        int at = LINE * lineCount++;
        if (at == lines.length) {
            lines = Arrays.copyOf(lines, 2 * at);
        }
        lines[at] = nameAt;
        lines[at + 1] = nameTo;
        lines[at + 2] = valueAt;
        lines[at + 3] = valueTo;
    }

    /** Gives the line whose value begins at {@code valueAt} another value. */
    final void replaceValue(int valueAt, int newAt, int newTo) {
        for (int at = 0; at < LINE * lineCount; at += LINE) {
            if (lines[at + 2] == valueAt) {
                lines[at + 2] = newAt;
                lines[at + 3] = newTo;
            }
        }
    }

    /** Says where the body lies; until then it is empty. */
    public final void attachBody(byte[] array, int offset, int length) {
        bodyArray = array;
        bodyAt = offset;
        bodyLength = length;
    }

    /** Says between whom the request came; it stays through {@code begin}. */
    public final void attachAddresses(InetSocketAddress remote, InetSocketAddress local) {
        this.remote = remote;
        this.local = local;
    }

    @Override
    public final Method method() {
        return method;
    }

    @Override
    public final String methodName() {
        return method == Method.OTHER ? text(methodAt, methodTo) : method.name();
    }

    @Override
    public final int versionMinor() {
        return minor;
    }

    @Override
    public final boolean pathIs(String path) {
        if (pathEscaped) {
            return Escapes.match(array, pathAt, pathTo, path) == pathTo;
        }
        if (pathAt == pathTo) {
            return path.equals("/");
        }
        return Ascii.equal(array, pathAt, pathTo, path);
    }

    @Override
    public final boolean pathStartsWith(String prefix) {
        if (pathEscaped) {
            return Escapes.match(array, pathAt, pathTo, prefix) >= 0;
        }
        if (pathAt == pathTo) {
            return "/".startsWith(prefix);
        }
        return Ascii.startsWith(array, pathAt, pathTo, prefix);
    }

    @Override
    public final String path() {
        return pathEscaped ? Escapes.decode(array, pathAt, pathTo, false) : rawPath();
    }

    /** The path as it was sent; an absolute target may leave it out, which means the root. */
    @Override
    public final String rawPath() {
        return pathAt == pathTo ? "/" : text(pathAt, pathTo);
    }

    @Override
    public final void rawPath(Span path) {
        if (pathAt == pathTo) {
            path.set(ROOT, 0, ROOT.length);
        } else {
            path.set(array, pathAt, pathTo - pathAt);
        }
    }

    @Override
    public final String target() {
        return text(targetAt, targetTo);
    }

    @Override
    public final String query() {
        return text(queryAt, queryTo);
    }

    @Override
    public final String queryParameter(String name) {
        int at = queryAt;
        while (at < queryTo) {
            int to = indexOf('&', at, queryTo);
            int nameTo = indexOf('=', at, to);
            if (to > at && Escapes.decode(array, at, nameTo, true).equals(name)) {
                return nameTo == to ? "" : Escapes.decode(array, nameTo + 1, to, true);
            }
            at = to + 1;
        }
        return null;
    }

    @Override
    public final String authority() {
        return text(authorityAt, authorityTo);
    }

    @Override
    public final int fieldCount() {
        return lineCount;
    }

    @Override
    public final String fieldName(int index) {
        int at = line(index);
        return text(lines[at], lines[at + 1]);
    }

    @Override
    public final String fieldValue(int index) {
        int at = line(index);
        return text(lines[at + 2], lines[at + 3]);
    }

    private int line(int index) {
        if (index < 0 || index >= lineCount) {
            throw new IndexOutOfBoundsException("index=" + index + " fieldCount=" + lineCount);
        }
        return LINE * index;
    }

    @Override
    public final boolean header(String name, Span value) {
        int at = find(name, 0);
        if (at < 0) {
            return false;
        }
        value.set(array, lines[at + 2], lines[at + 3] - lines[at + 2]);
        return true;
    }

    @Override
    public final String header(String name) {
        int at = find(name, 0);
        return at < 0 ? null : text(lines[at + 2], lines[at + 3]);
    }

    @Override
    public final boolean headerIs(String name, String value) {
        int at = find(name, 0);
        return at >= 0 && Ascii.equalIgnoringCase(array, lines[at + 2], lines[at + 3], value);
    }

    @Override
    public final boolean headerHasToken(String name, String token) {
        for (int at = find(name, 0); at >= 0; at = find(name, at + LINE)) {
            if (FieldList.contains(array, lines[at + 2], lines[at + 3], token)) {
                return true;
            }
        }
        return false;
    }

    /** Where the entry of the first line of that name from {@code at} on begins, or −1. */
    private int find(String name, int at) {
        int length = name.length();
        for (int entry = at; entry < LINE * lineCount; entry += LINE) {
            int nameAt = lines[entry];
            int nameTo = lines[entry + 1];
            if (nameTo - nameAt == length
                    && Ascii.equalIgnoringCase(array, nameAt, nameTo, name)) {
                return entry;
            }
        }
        return -1;
    }

    @Override
    public final int bodyLength() {
        return bodyLength;
    }

    @Override
    public final void body(Span body) {
        body.set(bodyArray, bodyAt, bodyLength);
    }

    @Override
    public final byte[] body() {
        return Arrays.copyOfRange(bodyArray, bodyAt, bodyAt + bodyLength);
    }

    @Override
    public final InetSocketAddress remote() {
        return remote;
    }

    @Override
    public final InetSocketAddress local() {
        return local;
    }

    @Override
    public final Request copy() {
        return new RequestCopy(this);
    }

    private int indexOf(char wanted, int from, int to) {
        for (int index = from; index < to; index++) {
            if (array[index] == wanted) {
                return index;
            }
        }
        return to;
    }

    private String text(int from, int to) {
        return new String(array, from, to - from, StandardCharsets.UTF_8);
    }
}
