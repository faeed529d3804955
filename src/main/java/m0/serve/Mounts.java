package m0.serve;

import java.util.ArrayList;
import java.util.List;
import m0.bytes.Span;
import m0.http.Request;

/**
 * The mounts of one host: which of them a request belongs to.
 *
 * <p>The longest prefix wins. It is compared with the path as it was sent, since that is what an
 * application's own table splits before it decodes: {@code /%78} is not below {@code /x}.
 *
 * <p>Threads: any; it is immutable.
 */
final class Mounts {
    /** Stands for no mount: the request is the handler's. */
    static final int NONE = -1;

    private final List<Mount> all;
    /** Indexes into {@code all}, those of longer prefixes first. */
    private final int[] byLength;

    /** @param all in the order of their lanes */
    Mounts(List<Mount> all) {
        this.all = List.copyOf(all);
        List<Mount> sorted = new ArrayList<>(all);
        sorted.sort((one, other) -> other.prefix().length() - one.prefix().length());
        byLength = new int[sorted.size()];
        for (int index = 0; index < byLength.length; index++) {
            byLength[index] = all.indexOf(sorted.get(index));
        }
    }

    List<Mount> all() {
        return all;
    }

    /** The index of the mount that request belongs to, or {@link #NONE}. */
    int indexOf(Request request) {
        return indexOf(request, new Span());
    }

    /** @param path the caller's, pointed at the request's path: a loop makes one and no more */
    int indexOf(Request request, Span path) {
        request.rawPath(path);
        for (int index : byLength) {
            if (all.get(index).has(path)) {
                return index;
            }
        }
        return NONE;
    }
}
