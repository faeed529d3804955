package m0.ws;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import m0.http.Request;

/**
 * From which pages a WebSocket may be opened (RFC 6455 §10.2).
 *
 * <p>A browser opens one to any server, with the user's cookies, and says in {@code Origin} whose
 * page asked. With a list, a request must have exactly one {@code Origin} field and it must be
 * listed; a client that is no browser has to name one too.
 *
 * <p>Threads: any; immutable.
 */
public final class Origins {
    /** No list: everybody may. */
    public static final Origins ANY = new Origins(Set.of());

    private final Set<String> allowed;

    private Origins(Set<String> allowed) {
        this.allowed = allowed;
    }

    /**
     * A list; an empty one is {@link #ANY}.
     *
     * @param origins each {@code scheme://host} or {@code scheme://host:port}, in any letter case
     * @throws IllegalArgumentException for one that no browser would send: it could match nothing
     */
    public static Origins of(List<String> origins) {
        origins.forEach(Origins::checkForm);
        return origins.isEmpty() ? ANY : new Origins(origins.stream()
                .map(origin -> origin.toLowerCase(Locale.ROOT)).collect(Collectors.toSet()));
    }

    /** The same from a comma list, blanks around its elements aside. */
    public static Origins ofList(String list) {
        return of(Arrays.stream(list.split(",", -1)).map(String::strip).toList());
    }

    private static void checkForm(String origin) {
        int authorityAt = origin.indexOf("://") + 3;
        boolean formed = authorityAt > 3 && authorityAt < origin.length()
                && origin.indexOf('/', authorityAt) < 0
                && !origin.matches("(?i)https:.*:443|http:.*:80")
                && origin.chars().allMatch(each -> each > ' ' && each < 0x7f
                        && "*@?#".indexOf(each) < 0);
        if (!formed) {
            throw new IllegalArgumentException(
                    "origin `" + origin + "` is not scheme://host or scheme://host:port");
        }
    }

    boolean admit(Request request) {
        if (allowed.isEmpty()) {
            return true;
        }
        String origin = Handshake.onlyValue(request, "Origin");
        return origin != null && allowed.contains(origin.toLowerCase(Locale.ROOT));
    }
}
