package m0.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import m0.http.Method;
import org.junit.jupiter.api.Test;

class RouteTreeTest {
    private final List<Route> routes = new ArrayList<>();

    private void add(String pattern) {
        add(Method.GET, pattern, Route.Placement.LANE);
    }

    private void add(Method method, String pattern, Route.Placement placement) {
        routes.add(new Route(routes.size(), method, new RoutePattern(pattern), placement));
    }

    /** A tree that counts the nodes it looks at. */
    private static final class Counted extends RouteTree {
        private int visits;

        Counted(List<Route> routes) {
            super(routes);
        }

        @Override
        void onVisit() {
            visits++;
        }

        int visits(String path, boolean loopAlone) {
            visits = 0;
            byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
            find(bytes, 0, bytes.length, loopAlone);
            return visits;
        }
    }

    private static String found(RouteTree tree, String path) {
        byte[] bytes = ("<" + path + ">").getBytes(StandardCharsets.UTF_8);
        RouteNode node = tree.find(bytes, 1, bytes.length - 1, false);
        return node == null || !node.isEnd() ? null : node.route(Method.GET).pattern().toString();
    }

    /** As many routes as asked for; {@code /group3/item5/detail} is among them from ten on. */
    private static List<Route> many(int count) {
        List<Route> many = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            String pattern = "/group" + index % 10 + "/item" + (index + 2) + "/detail";
            many.add(new Route(index, Method.GET, new RoutePattern(pattern),
                    Route.Placement.LANE));
        }
        return many;
    }

    @Test
    void visitsDependOnThePathsDepthAlone() {
        for (int count : new int[] {10, 100, 1000}) {
            var tree = new Counted(many(count));
            assertEquals("/group3/item5/detail", found(tree, "/group3/item5/detail"));
            assertEquals(4, tree.visits("/group3/item5/detail", false), count + " routes");
            assertEquals(1, tree.visits("/elsewhere/item5/detail", false), count + " routes");
            assertEquals(3, tree.visits("/group3/item5/nothing", false), count + " routes");
        }
    }

    @Test
    void visitsStayTheDepthWherePlacesAndLiteralsOverlap() {
        for (int bits = 0; bits < 256; bits++) {
            var pattern = new StringBuilder();
            for (int bit = 0; bit < 8; bit++) {
                pattern.append((bits >> bit & 1) == 0 ? "/a" : "/{p" + bit + "}");
            }
            add(pattern.toString());
        }
        var tree = new Counted(routes);
        assertEquals(9, tree.visits("/a/a/a/a/a/a/a/a", false));
        assertEquals(9, tree.visits("/b/a/b/a/b/a/b/a", false));
        assertEquals(9, tree.visits("/a/a/a/a/a/a/a/a/a", false));
    }

    @Test
    void aTableThatOverlapsInTooManyWaysIsRefused() {
        for (int depth = 1; depth <= RoutePattern.SEGMENTS_MAX; depth++) {
            for (String literal : List.of("a", "b", "c")) {
                var pattern = new StringBuilder();
                for (int index = 1; index < depth; index++) {
                    pattern.append("/{p").append(index).append('}');
                }
                add(pattern + "/" + literal);
            }
        }
        assertThrows(IllegalArgumentException.class, () -> new RouteTree(routes));
    }

    @Test
    void whatIsOffTheLoopIsLeftAsSoonAsThatIsKnown() {
        add(Method.GET, "/far/away/here", Route.Placement.LANE);
        add(Method.GET, "/near/now", Route.Placement.LOOP_STATELESS);
        add(Method.GET, "/near/{any}", Route.Placement.LANE);
        var tree = new Counted(routes);
        assertEquals(2, tree.visits("/far/away/here", true));
        assertEquals(3, tree.visits("/near/now", true));
        assertEquals(1, tree.visits("/elsewhere", true));
        byte[] far = "/far/away/here".getBytes(StandardCharsets.UTF_8);
        assertNull(tree.find(far, 0, far.length, true));
    }

    @Test
    void findsWhatTheFirstMatchingRouteInOrderIs() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            routes.clear();
            List<Pattern> patterns = new ArrayList<>();
            for (int count = 1 + random.nextInt(12); count > 0; count--) {
                var text = new StringBuilder();
                var regex = new StringBuilder();
                int depth = random.nextInt(5);
                for (int index = 0; index < depth; index++) {
                    boolean place = random.nextInt(3) == 0;
                    String literal = "s" + random.nextInt(3);
                    text.append('/').append(place ? "{p" + index + "}" : literal);
                    regex.append('/').append(place ? "[^/]+" : literal);
                }
                add(depth == 0 ? "/" : text.toString());
                patterns.add(Pattern.compile(depth == 0 ? "/?" : regex.toString()));
            }
            var tree = new RouteTree(routes);
            for (int ask = 0; ask < 40; ask++) {
                var path = new StringBuilder(random.nextInt(8) == 0 ? "/" : "");
                for (int depth = random.nextInt(5); depth > 0; depth--) {
                    path.append("/s").append(random.nextInt(4));
                }
                String expected = null;
                for (int index = 0; index < routes.size() && expected == null; index++) {
                    if (patterns.get(index).matcher(path).matches()) {
                        expected = routes.get(index).pattern().toString();
                    }
                }
                assertEquals(expected, found(tree, path.toString()),
                        "the first in order, seed=" + seed + " " + routes + " " + path);
            }
        }
    }

    @Test
    void aThousandLiteralsBesideEachOtherAreAllFound() {
        for (int index = 0; index < 1000; index++) {
            add("/n" + index);
        }
        var tree = new RouteTree(routes);
        for (int index = 0; index < 1000; index++) {
            assertEquals("/n" + index, found(tree, "/n" + index));
        }
        assertNull(found(tree, "/n1000"));
    }

    @Test
    void aLiteralIsFoundHoweverItIsEscaped() {
        add("/caf\u00e9 100%/x");
        var tree = new RouteTree(routes);
        assertTrue(found(tree, "/caf%c3%A9%20100%25/%78") != null);
        assertNull(found(tree, "/caf%c3%A9%20100%2525/x"));
        assertNull(found(tree, "/caf%c3%A9%20100%/x"));
        assertNull(found(tree, "/caf%c3%A9%20100%25%2Fx"));
    }

    @Test
    void aSegmentThatIsEmptyOrDotsFitsNoPlace() {
        add("/a/{any}");
        var tree = new RouteTree(routes);
        for (String path : List.of("/a/", "/a//", "/a/.", "/a/..", "/a/%2e", "/a/%2E.", "/a/.%2e",
                "//a/b", "/a/b/", "/a")) {
            assertNull(found(tree, path), path);
        }
        for (String path : List.of("/a/...", "/a/.b", "/a/%2e%2e%2e", "/a/%2F", "/a/%00")) {
            assertEquals("/a/{any}", found(tree, path), path);
        }
    }
}
