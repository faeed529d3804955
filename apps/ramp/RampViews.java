package ramp;

import m0.http.Method;
import m0.http.ProblemException;
import m0.http.Request;
import m0.http.Response;
import m0.views.Captures;
import m0.views.Query;
import m0.views.Views;

/**
 * The module: four views and where each is answered.
 *
 * <pre>
 * /                 a page with links to the next two; on the loop
 * /now              at once, without any state; on the loop
 * /search?sel=&amp;k=   the k (10) best of about sel (25) percent of the rows
 * /slow?ms=         spins for that long (200)
 * </pre>
 *
 * <p>No answer says which host or thread gave it, nor how long it took: two hosts are compared byte
 * for byte. Limits: 100 percent, 100 rows, a spin of {@value #SPIN_MS_MAX} ms.
 */
final class RampViews {
    static final int SPIN_MS_MAX = 10_000;
    private static final int SPIN_MS = 200;
    private static final int PERCENT = 25;
    private static final int BEST = 10;
    private static final int BEST_MAX = 100;

    private static final Response NOW = Response.text(200, "now\n");
    private static final Response SPUN = Response.text(200, "slow\n");

    private RampViews() { }

    static Views<Search, Scan> table() {
        return new Views<Search, Scan>()
                .addReadOnLoop("index", Method.GET, "/", RampViews::index)
                .addLoop("now", Method.GET, "/now", (request, captures) -> NOW)
                .addWrite("search", Method.GET, "/search", RampViews::search)
                .addRead("slow", Method.GET, "/slow", RampViews::slow)
                .seal();
    }

    private static Response index(Search state, Request request, Captures captures) {
        return Response.status(200).contentType("text/html; charset=utf-8").body("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8"><title>ramp</title><link rel="icon" href="data:,">
                </head>
                <body>
                <h1>ramp</h1>
                <p>One views module, two hosts.</p>
                <ul>
                <li><a href="%s">now</a>, which waits for nobody</li>
                <li><a href="%s">search</a>, which takes its time on a pool thread</li>
                </ul>
                </body>
                </html>
                """.formatted(state.at().urlFor("now"), state.at().urlFor("search"))).build();
    }

    private static Response search(Scan state, Request request, Captures captures)
            throws ProblemException {
        Query query = Query.of(request);
        int percent = query.number("sel", 0, Corpus.TAGS, PERCENT);
        int wanted = query.number("k", 1, BEST_MAX, BEST);
        int count = state.score(percent);
        var json = new StringBuilder(64 + 40 * wanted)
                .append("{\"sel\":").append(percent).append(",\"rows\":").append(count)
                .append(",\"best\":[");
        for (int rank = 0; rank < Math.min(wanted, count); rank++) {
            int row = state.takeBest();
            json.append(rank == 0 ? "" : ",").append("{\"row\":").append(row)
                    .append(",\"score\":").append(Corpus.SEEDED.score(row)).append('}');
        }
        return Response.status(200).contentType("application/json")
                .body(json.append("]}\n").toString()).build();
    }

    private static Response slow(Search state, Request request, Captures captures)
            throws ProblemException {
        long spinNs = Query.of(request).number("ms", 0, SPIN_MS_MAX, SPIN_MS) * 1_000_000L;
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < spinNs) {
            Thread.onSpinWait();
        }
        return SPUN;
    }
}
