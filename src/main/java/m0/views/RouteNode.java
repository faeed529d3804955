package m0.views;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import m0.http.Method;
import m0.http.Response;

/**
 * Where the look-up of a path stands after some of its segments: the routes that end here, and
 * where each further segment leads.
 *
 * <p>Threads: any; nothing in it changes.
 */
final class RouteNode {
    private static final Method[] METHODS = Method.values();

    /** Segments by their hash, in open addressing, never more than half full. */
    private final byte[][] literals;
    private final int[] hashes;
    private final RouteNode[] children;
    /** Where a segment leads that no literal is equal to, or null. */
    private final RouteNode place;
    /** The first route that takes each method, by its ordinal; null for those that none takes. */
    private final Route[] byMethod = new Route[METHODS.length];
    /** Null where no route ends. */
    private final String allow;
    private final Response options;
    private final boolean loopBelow;

    /**
     * @param routes those that end here, in the order of registration
     * @param literal where segments lead that a route has as they are
     * @param place where any other segment leads, or null
     */
    RouteNode(List<Route> routes, Map<String, RouteNode> literal, RouteNode place) {
        this.place = place;
        int capacity = Integer.highestOneBit(Math.max(1, 2 * literal.size())) * 2;
        literals = new byte[capacity][];
        hashes = new int[capacity];
        children = new RouteNode[capacity];
        literal.forEach(this::put);
        for (Route route : routes) {
            int method = route.method().ordinal();
            if (byMethod[method] == null) {
                byMethod[method] = route;
            }
        }
        allow = routes.isEmpty() ? null : allow(routes);
        options = allow == null ? null : Response.status(204).header("Allow", allow).build();
        byMethod[Method.HEAD.ordinal()] = head(routes);
        boolean below = place != null && place.loopBelow
                || literal.values().stream().anyMatch(child -> child.loopBelow);
        loopBelow = below || routes.stream()
                .anyMatch(route -> route.placement() != Route.Placement.LANE);
    }

    /**
     * The first route that takes GET or HEAD, so that HEAD says what GET would have said (RFC 9110
     * §9.3.2); where that is one of GET, the one of its own pattern that takes HEAD, if there is one.
     */
    private static Route head(List<Route> routes) {
        for (Route first : routes) {
            if (first.method() == Method.HEAD) {
                return first;
            }
            if (first.method() == Method.GET) {
                return routes.stream().filter(route -> route.method() == Method.HEAD
                        && route.pattern().toString().equals(first.pattern().toString()))
                        .findFirst().orElse(first);
            }
        }
        return null;
    }

    private void put(String segment, RouteNode child) {
        byte[] octets = segment.getBytes(StandardCharsets.UTF_8);
        int hash = PathSegment.hashOf(octets);
        int slot = hash & literals.length - 1;
        while (literals[slot] != null) {
            slot = slot + 1 & literals.length - 1;
        }
        literals[slot] = octets;
        hashes[slot] = hash;
        children[slot] = child;
    }

    /** In the order of registration, HEAD straight after GET, OPTIONS last. */
    private static String allow(List<Route> routes) {
        List<String> names = new ArrayList<>();
        boolean get = routes.stream().anyMatch(route -> route.method() == Method.GET);
        for (Route route : routes) {
            String name = route.method().name();
            boolean elsewhere = route.method() == Method.HEAD && get
                    || route.method() == Method.OPTIONS;
            if (!elsewhere && !names.contains(name)) {
                names.add(name);
                if (route.method() == Method.GET) {
                    names.add(Method.HEAD.name());
                }
            }
        }
        names.add(Method.OPTIONS.name());
        return String.join(", ", names);
    }

    /** Where that segment leads, or null. A segment that is empty, or dots, fits no place. */
    RouteNode child(byte[] array, int from, int to) {
        int hash = PathSegment.hash(array, from, to);
        int slot = hash & literals.length - 1;
        while (literals[slot] != null) {
            if (hashes[slot] == hash && PathSegment.equal(array, from, to, literals[slot])) {
                return children[slot];
            }
            slot = slot + 1 & literals.length - 1;
        }
        return place == null || from == to || PathSegment.isDots(array, from, to) ? null : place;
    }

    /** Whether some route ends here. */
    boolean isEnd() {
        return allow != null;
    }

    /** The route for that method, or null. */
    Route route(Method method) {
        return byMethod[method.ordinal()];
    }

    /** The methods that are taken here, as the field {@code Allow} lists them. */
    String allow() {
        return allow;
    }

    /** The answer to OPTIONS where no route is registered for it. */
    Response options() {
        return options;
    }

    /** Whether a route that is answered on the loop ends here or further down. */
    boolean hasLoopBelow() {
        return loopBelow;
    }
}
