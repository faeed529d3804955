package m0.views;

import java.util.Map;
import m0.bytes.Ascii;
import m0.bytes.Span;

/**
 * The place of a table among a server's paths: its prefix, and the links that lead into it.
 *
 * <p>A prefix holds itself and whatever begins with it and a slash, as the path was sent:
 * {@code /x} and {@code /x/} are both the index, and {@code /xapp} is none of its business. Made by
 * {@link Views#mount}.
 *
 * <p>Threads: any; it is immutable.
 */
public final class Mount {
    private final String prefix;
    private final Map<String, RoutePattern> names;

    /**
     * @param prefix empty, or an absolute path that does not end in a slash and needs no escapes
     */
    Mount(String prefix, Map<String, RoutePattern> names) {
        checkPrefix(prefix);
        this.prefix = prefix;
        this.names = names;
    }

    private static void checkPrefix(String prefix) {
        if (prefix.isEmpty()) {
            return;
        }
        boolean whole = prefix.startsWith("/");
        for (int index = 0; index < prefix.length(); index++) {
            char c = prefix.charAt(index);
            whole &= c == '/' || Ascii.is(c, Ascii.REG_NAME);
        }
        if (!whole || prefix.endsWith("/") || prefix.contains("//") || prefix.contains("/.")) {
            throw new IllegalArgumentException("\"" + prefix + "\" is no prefix: it begins with a"
                    + " slash, does not end in one, and needs no escapes");
        }
    }

    /** Empty, or what each of the table's paths begins with. */
    public String prefix() {
        return prefix;
    }

    /**
     * The path of a route, prefix in front, values escaped.
     *
     * @param name the route's
     * @param values one for each place of its pattern, in their order
     * @throws IllegalArgumentException for an unknown name, another number of values, a value that
     *     is empty, {@code .} or {@code ..} (no path can bring it), or half a surrogate pair
     */
    public String urlFor(String name, String... values) {
        RoutePattern pattern = names.get(name);
        if (pattern == null) {
            throw new IllegalArgumentException("no route is called \"" + name + "\"");
        }
        return prefix + pattern.path(values);
    }

    /** The index at which that path goes on behind the prefix, or −1 where it is outside. */
    int behindPrefix(Span path) {
        int from = path.offset();
        int to = from + path.length();
        int behind = from + prefix.length();
        if (!Ascii.startsWith(path.array(), from, to, prefix)) {
            return -1;
        }
        return behind == to || path.array()[behind] == '/' ? behind : -1;
    }
}
