package m0.serve;

import com.sun.net.httpserver.HttpContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The contexts of one server. As in the JDK, the longest path that the request's begins with wins,
 * letter by letter: {@code /foo} has {@code /foobar} too.
 *
 * <p>Threads: any; a look-up sees a whole table, that before a change or the one behind it.
 */
final class Contexts {
    /** The longest first; replaced as a whole. */
    private volatile List<ServedContext> byLength = List.of();

    /** @throws IllegalArgumentException if there is one of that path */
    synchronized void add(ServedContext added) {
        List<ServedContext> all = new ArrayList<>(byLength);
        for (ServedContext each : all) {
            if (each.getPath().equals(added.getPath())) {
                throw new IllegalArgumentException("there is a context of path "
                        + added.getPath());
            }
        }
        all.add(added);
        all.sort((one, other) -> other.getPath().length() - one.getPath().length());
        byLength = List.copyOf(all);
    }

    /** @throws IllegalArgumentException if there is none of that path */
    synchronized void remove(String path) {
        List<ServedContext> all = new ArrayList<>(byLength);
        if (!all.removeIf(each -> each.getPath().equals(path))) {
            throw new IllegalArgumentException("there is no context of path " + path);
        }
        byLength = List.copyOf(all);
    }

    /** @throws IllegalArgumentException if it is none of these, though there be one of its path */
    synchronized void remove(HttpContext context) {
        List<ServedContext> all = new ArrayList<>(byLength);
        if (!all.removeIf(each -> each == context)) {
            throw new IllegalArgumentException("the context of path " + context.getPath()
                    + " is none of this server's");
        }
        byLength = List.copyOf(all);
    }

    /** The context of that path of a request, or null. */
    ServedContext find(String path) {
        for (ServedContext each : byLength) {
            if (path.startsWith(each.getPath())) {
                return each;
            }
        }
        return null;
    }
}
