package m0.views;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import m0.app.AnsweredFailure;
import m0.bytes.Span;
import m0.http.Method;
import m0.http.Problem;
import m0.http.ProblemException;
import m0.http.Request;
import m0.http.Response;

/**
 * A route table: which view answers which method and path, and where.
 *
 * <p>The first route, in the order of registration, that takes both path and method answers.
 * Nothing falls through: a path that some route takes, but none with that method, is 405; a path
 * that none takes is 404; both are problem documents. HEAD reaches the view of GET unless a route
 * of the same pattern, or one before it, takes HEAD itself, and OPTIONS is answered with what is
 * allowed where no route takes OPTIONS. The path is split as it was sent; then each segment is
 * decoded, once.
 *
 * <p>Where a request is answered is the route's own property. Without a lane everything runs on the
 * loop. With one, {@link #dispatch} runs on the lane, and what
 * {@link #answerOnLoop(Mount, Request, Object)} answers never gets there: routes added by
 * {@code addReadOnLoop} and {@code addWriteOnLoop}, with the state of the loop's handler, and by
 * {@code addLoop}, which need none. The answer is the same either way.
 *
 * <p>Threads: one builds it; from {@link #seal}, which {@link ViewsApp} calls, it is immutable and
 * any thread may use it. Limits: {@value RoutePattern#SEGMENTS_MAX} segments in a pattern, and
 * {@value RouteTree#NODES_MAX} nodes in a table, which has one for each segment, and more of them
 * only where places and literals stand side by side. Errors: what cannot be registered, or sealed, is
 * an {@code IllegalArgumentException}; a view's exception is described at {@link View}.
 *
 * @param <R> the face of a state that views see which only read
 * @param <S> the state, which views see that may write
 */
public final class Views<R, S extends R> {
    /** A span for each thread, so that looking at a path costs no allocation. */
    private static final ThreadLocal<Span> PATH = ThreadLocal.withInitial(Span::new);

    private static final Problem NOTHING = Problem.of(404, "No route leads here.");
    private static final Problem FAILED = Problem.of(500, "The view failed; the log says why.");
    private static final Problem MALFORMED =
            Problem.of(400, "The path has an escape that is malformed or hides what is not UTF-8.");

    private final List<Route> routes = new ArrayList<>();
    /** The view of each route, by its index. */
    private final List<View<? super S>> views = new ArrayList<>();
    private final Map<String, RoutePattern> names = new HashMap<>();
    private View<? super R> notFound = (state, request, captures) -> {
        throw new ProblemException(NOTHING);
    };
    /** Null until it is sealed. */
    private RouteTree tree;

    /**
     * Adds a route whose view reads the state.
     *
     * @param name what {@link Mount#urlFor} calls its path; routes of one pattern may share it
     * @param pattern such as {@code /notes/{id}}: each place is one segment
     */
    public Views<R, S> addRead(String name, Method method, String pattern,
            View<? super R> view) {
        return add(name, method, pattern, Route.Placement.LANE, view);
    }

    /** As {@link #addRead}, answered on the loop with the state of the loop's handler. */
    public Views<R, S> addReadOnLoop(String name, Method method, String pattern,
            View<? super R> view) {
        return add(name, method, pattern, Route.Placement.LOOP, view);
    }

    /** Adds a route whose view may write to the state; see {@link #addRead}. */
    public Views<R, S> addWrite(String name, Method method, String pattern,
            View<? super S> view) {
        return add(name, method, pattern, Route.Placement.LANE, view);
    }

    /** As {@link #addWrite}, answered on the loop with the state of the loop's handler. */
    public Views<R, S> addWriteOnLoop(String name, Method method, String pattern,
            View<? super S> view) {
        return add(name, method, pattern, Route.Placement.LOOP, view);
    }

    /** Adds a route whose view needs no state and is answered on the loop; see {@link #addRead}. */
    public Views<R, S> addLoop(String name, Method method, String pattern, LoopView view) {
        return add(name, method, pattern, Route.Placement.LOOP_STATELESS, view);
    }

    /** Answers where no route leads, in the place of the 404 problem; the status is that view's. */
    public Views<R, S> setNotFound(View<? super R> view) {
        checkOpen();
        notFound = view;
        return this;
    }

    private Views<R, S> add(String name, Method method, String patternText,
            Route.Placement placement, View<? super S> view) {
        checkOpen();
        if (method == Method.OTHER || method == Method.CONNECT) {
            throw new IllegalArgumentException("no route can take " + method);
        }
        var pattern = new RoutePattern(patternText);
        RoutePattern known = names.putIfAbsent(name, pattern);
        if (known != null && !known.toString().equals(patternText)) {
            throw new IllegalArgumentException("\"" + name + "\" is the name of " + known
                    + " and cannot be that of " + patternText);
        }
        routes.add(new Route(routes.size(), method, pattern, placement));
        views.add(view);
        return this;
    }

    private void checkOpen() {
        if (tree != null) {
            throw new IllegalStateException("the table is in use: nothing can be added to it");
        }
    }

    /**
     * Ends the building; called again it does nothing.
     *
     * @throws IllegalArgumentException if places and literals overlap in too many ways
     */
    public Views<R, S> seal() {
        if (tree == null) {
            tree = new RouteTree(routes);
        }
        return this;
    }

    /**
     * The table's place under {@code prefix}; seals it.
     *
     * @param prefix empty, or an absolute path that does not end in a slash and needs no escapes
     */
    public Mount mount(String prefix) {
        seal();
        return new Mount(prefix, names);
    }

    /**
     * Answers a request, whatever it asks for: the caller's thread is the place.
     *
     * @param at where the table is mounted; what lies outside is 404
     * @param state the one of the caller's handler
     * @throws AnsweredFailure for what a view threw
     */
    public Response dispatch(Mount at, Request request, S state) {
        Span path = PATH.get();
        request.rawPath(path);
        int from = at.behindPrefix(path);
        if (from < 0) {
            return answer(NOTHING, request).build();
        }
        int to = path.offset() + path.length();
        RouteNode node = tree.find(path.array(), from, to, false);
        if (node == null || !node.isEnd()) {
            return answer(notFound, state, request, Captures.NONE);
        }
        Route route = node.route(request.method());
        if (route != null) {
            return answer(route, state, request, captures(route, path, from));
        }
        return request.method() == Method.OPTIONS ? node.options() : notAllowed(node, request);
    }

    /**
     * Answers a request where its route is one of the loop's. Runs on the loop, with the state of
     * the loop's handler.
     *
     * @return null where {@link #dispatch} is to answer
     * @throws AnsweredFailure for what a view threw
     */
    public Response answerOnLoop(Mount at, Request request, S state) {
        Span path = PATH.get();
        request.rawPath(path);
        Route route = routeOnLoop(at, request, path);
        return route == null ? null
                : answer(route, state, request, captures(route, path, at.behindPrefix(path)));
    }

    /**
     * Answers a request where its route needs no state, for a loop that has none at hand. It
     * declines the other routes of the loop, which {@link #dispatch} answers with the same bytes.
     *
     * @return null where {@link #dispatch} is to answer
     * @throws AnsweredFailure for what a view threw
     */
    public Response answerOnLoop(Mount at, Request request) {
        Span path = PATH.get();
        request.rawPath(path);
        Route route = routeOnLoop(at, request, path);
        return route == null || route.placement() != Route.Placement.LOOP_STATELESS ? null
                : answer(route, null, request, captures(route, path, at.behindPrefix(path)));
    }

    /** The request's route where it is one of the loop's, or null; gives up as early as it can. */
    private Route routeOnLoop(Mount at, Request request, Span path) {
        int from = at.behindPrefix(path);
        if (from < 0) {
            return null;
        }
        RouteNode node = tree.find(path.array(), from, path.offset() + path.length(), true);
        Route route = node == null ? null : node.route(request.method());
        return route == null || route.placement() == Route.Placement.LANE ? null : route;
    }

    private static Captures captures(Route route, Span path, int from) {
        return route.pattern().captures(path.array(), from, path.offset() + path.length());
    }

    private Response answer(Route route, S state, Request request, Captures captures) {
        return captures == null ? answer(MALFORMED, request).build()
                : answer(views.get(route.index()), state, request, captures);
    }

    private static <T> Response answer(View<? super T> view, T state, Request request,
            Captures captures) {
        try {
            Response response = view.answer(state, request, captures);
            if (response == null) {
                throw new IllegalStateException("the view returned no response");
            }
            return response;
        } catch (ProblemException refused) {
            return answer(refused.problem(), request).build();
        } catch (AnsweredFailure answered) {
            // The view has said what the client is to be told.
            throw answered;
        } catch (Exception failure) {
            throw new AnsweredFailure(answer(FAILED, request).close().build(), failure);
        }
    }

    private static Response notAllowed(RouteNode node, Request request) {
        return answer(Problem.of(405, "This path takes " + node.allow() + "."), request)
                .header("Allow", node.allow()).build();
    }

    private static Response.Builder answer(Problem problem, Request request) {
        return problem.at(request.rawPath()).answer();
    }
}
