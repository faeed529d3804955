package m0.files;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import m0.bytes.Ascii;
import m0.http.UriCoding;

/**
 * A request's path below a prefix: its names, split first and decoded once, none of which can lead
 * anywhere but down.
 *
 * <p>Split before it is decoded: what an escape hides is part of a name, and a name that turns out
 * to hold a separator is refused. Decoded once: a name that still looks like an escape is a name.
 *
 * <p>Threads: any; it is immutable. It looks at no file.
 */
final class RelativePath {
    private final List<String> names;
    private final boolean endsInSlash;

    private RelativePath(List<String> names, boolean endsInSlash) {
        this.names = names;
        this.endsInSlash = endsInSlash;
    }

    /** Whether it can be a prefix: empty, or segments that need no escape, each behind a slash. */
    static boolean isPrefix(String text) {
        boolean begins = false;
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            if (c == '/' ? begins : !isPlain(c) || index == 0) {
                return false;
            }
            begins = c == '/';
        }
        return !begins;
    }

    /** Whether it may stand in a segment as it is (RFC 3986 §3.3). */
    private static boolean isPlain(char c) {
        return Ascii.is(c, Ascii.REG_NAME) || c == ':' || c == '@';
    }

    /**
     * Splits and decodes what stands behind the prefix.
     *
     * @param raw as it was sent: empty, or beginning with a slash
     * @param hiddenServed whether a name may begin with a dot
     * @return null where a name is not to be served
     */
    static RelativePath parse(String raw, boolean hiddenServed) {
        byte[] octets = raw.getBytes(StandardCharsets.UTF_8);
        var names = new ArrayList<String>();
        int at = 1;
        while (at < octets.length) {
            int to = at;
            while (to < octets.length && octets[to] != '/') {
                to++;
            }
            String name = UriCoding.decode(octets, at, to, false);
            if (name == null || !isServed(name, hiddenServed)) {
                return null;
            }
            names.add(name);
            at = to + 1;
        }
        return new RelativePath(List.copyOf(names), raw.endsWith("/"));
    }

    private static boolean isServed(String name, boolean hiddenServed) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            return false;
        }
        if (name.indexOf('/') >= 0 || name.indexOf('\\') >= 0 || name.indexOf('\0') >= 0) {
            return false;
        }
        return hiddenServed || !name.startsWith(".");
    }

    /** Whether it names a directory by its form; the prefix alone does not. */
    boolean endsInSlash() {
        return endsInSlash;
    }

    /** The last name, or empty where there is none. */
    String name() {
        return names.isEmpty() ? "" : names.get(names.size() - 1);
    }

    /** The place of it in a directory, or null where the file system cannot have such a name. */
    Path under(Path directory) {
        Path path = directory;
        try {
            for (String name : names) {
                path = path.resolve(name);
            }
            return path;
        } catch (InvalidPathException notInThisLocale) {
            return null;
        }
    }

    /** Appends each name behind a slash, escaped where it has to be. */
    void appendEncoded(StringBuilder text) {
        for (String name : names) {
            text.append('/').append(UriCoding.encode(name));
        }
    }
}
