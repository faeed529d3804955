package m0.views;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the routes of a path, one node for each of its segments, whatever the number of routes.
 *
 * <p>Where a place and a literal stand side by side, {@code /notes/{id}} and {@code /notes/new}, a
 * path may lead to both. To follow both while looking up could double with each segment. So it is
 * settled when the tree is built: the node of a literal also holds everything that the place beside
 * it leads to.
 *
 * <pre>
 *   routes                the tree
 *   1  /{a}/x             root --- "b" ---> {1, 2} --- "x" ---> [1]
 *   2  /b/{c}              |                   +------- any ---> [2]    ("x" leads to [1, 2])
 *                          +------ any ---> {1} ------ "x" ---> [1]
 * </pre>
 *
 * <p>Threads: any; nothing in it changes. Limits: {@value #NODES_MAX} nodes, which only a table
 * whose places and literals overlap many times reaches; beyond it the table is refused.
 */
class RouteTree {
    static final int NODES_MAX = 100_000;

    private final RouteNode root;
    private int nodes;

    RouteTree(List<Route> routes) {
        var start = new Branch();
        routes.forEach(start::add);
        root = build(List.of(start));
    }

    /** The routes in the order of their segments, before overlaps are settled. */
    private static final class Branch {
        private final Map<String, Branch> literals = new LinkedHashMap<>();
        private Branch place;
        private final List<Route> routes = new ArrayList<>();

        void add(Route route) {
            Branch branch = this;
            for (String segment : route.pattern().segments()) {
                branch = branch.next(segment);
            }
            branch.routes.add(route);
        }

        private Branch next(String segment) {
            boolean isPlace = RoutePattern.isPlace(segment);
            Branch known = isPlace ? place : literals.get(segment);
            if (known != null) {
                return known;
            }
            var added = new Branch();
            if (isPlace) {
                place = added;
            } else {
                literals.put(segment, added);
            }
            return added;
        }
    }

    /** The node of a path that leads to all of these branches. */
    private RouteNode build(List<Branch> branches) {
        if (++nodes > NODES_MAX) {
            throw new IllegalArgumentException("the table's places and literals overlap in more"
                    + " than " + NODES_MAX + " ways");
        }
        List<Route> routes = new ArrayList<>();
        List<Branch> places = new ArrayList<>();
        Map<String, List<Branch>> literals = new LinkedHashMap<>();
        for (Branch branch : branches) {
            routes.addAll(branch.routes);
            if (branch.place != null) {
                places.add(branch.place);
            }
            branch.literals.forEach((segment, next) ->
                    literals.computeIfAbsent(segment, unused -> new ArrayList<>()).add(next));
        }
        routes.sort(Comparator.comparingInt(Route::index));
        Map<String, RouteNode> children = new LinkedHashMap<>();
        literals.forEach((segment, next) -> {
            next.addAll(places);
            children.put(segment, build(next));
        });
        return new RouteNode(routes, children, places.isEmpty() ? null : build(places));
    }

    /**
     * Where a path leads.
     *
     * @param from the path's first slash; {@code to} or a lone slash is the root
     * @param loopAlone whether only routes of the loop are of interest: it then gives up as soon as
     *     none can follow
     * @return null where it leads nowhere
     */
    final RouteNode find(byte[] array, int from, int to, boolean loopAlone) {
        RouteNode node = root;
        onVisit();
        int at = to - from == 1 ? to : from;
        while (at < to) {
            if (loopAlone && !node.hasLoopBelow()) {
                return null;
            }
            int end = PathSegment.end(array, at + 1, to);
            node = node.child(array, at + 1, end);
            if (node == null) {
                return null;
            }
            onVisit();
            at = end;
        }
        return node;
    }

    /** A node was looked at. Overridden by whoever counts. */
    void onVisit() { }
}
