package ramp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.http.Body;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class RampViewsTest {
    private static final Pattern HIT =
            Pattern.compile("\\{\"row\":(\\d+),\"score\":(-?[0-9.E]+)\\}");

    private final AppHandler handler = made(-1, "");

    private static AppHandler made(int thread, String prefix) {
        try {
            return new Ramp().make(new FakeHostContext(0, 1, thread).withPrefix(prefix));
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private static String text(Response answer) {
        var bytes = (Body.Bytes) answer.body();
        return new String(bytes.array(), bytes.offset(), bytes.length(), StandardCharsets.UTF_8);
    }

    private String get(String target) throws Exception {
        return text(handler.handle(Requests.get(target)));
    }

    @Test
    void indexAndNowAreAnsweredOnTheLoopAndTheRestIsNot() {
        assertNotNull(handler.beforeRequest(Requests.get("/x")));
        assertNotNull(handler.beforeRequest(Requests.get("/x/now")));
        assertNull(handler.beforeRequest(Requests.get("/x/search")));
        assertNull(handler.beforeRequest(Requests.get("/x/slow")));
        assertNull(handler.beforeRequest(Requests.get("/xapp/now")));
    }

    @Test
    void linksLeadIntoTheMount() throws Exception {
        String page = get("/x/");
        assertTrue(page.contains("href=\"/x/now\"") && page.contains("href=\"/x/search\""), page);
        String mounted = text(made(-1, "/y").handle(Requests.get("/y")));
        assertTrue(mounted.contains("href=\"/y/now\""), mounted);
    }

    @Test
    void nothingSaysWhichThreadAnswered() throws Exception {
        AppHandler pooled = made(3, "/x");
        for (String target : List.of("/x", "/x/now", "/x/search", "/x/search?sel=60&k=3",
                "/x/slow?ms=1", "/x/nothing")) {
            assertEquals(get(target), text(pooled.handle(Requests.get(target))), target);
        }
        assertEquals(get("/x/slow?ms=0"), get("/x/slow?ms=3"));
    }

    @Test
    void searchFindsTheBestOfWhatTheFilterLeaves() throws Exception {
        String all = get("/x/search?sel=100&k=100");
        assertTrue(all.startsWith("{\"sel\":100,\"rows\":4096,\"best\":["), all);
        assertEquals(scores(expected(100, 100)), scores(hits(all)), "the best of all rows");
        assertEquals(expected(25, 10).stream().map(each -> each[0]).toList(),
                hits(get("/x/search")).stream().map(each -> each[0]).toList());
        assertEquals(0, hits(get("/x/search?sel=0")).size());
        assertNotEquals(get("/x/search?sel=10"), get("/x/search?sel=90"));
        assertEquals(all, get("/x/search?sel=100&k=100"));
    }

    private static List<Float> scores(List<float[]> hits) {
        return hits.stream().map(each -> each[1]).toList();
    }

    private static List<float[]> hits(String json) {
        return HIT.matcher(json).results().map(RampViewsTest::hit).toList();
    }

    private static float[] hit(MatchResult hit) {
        return new float[] {Float.parseFloat(hit.group(1)), Float.parseFloat(hit.group(2))};
    }

    /** The same by sorting everything. */
    private static List<float[]> expected(int percent, int count) {
        List<float[]> rows = new ArrayList<>();
        for (int row = 0; row < Corpus.ROWS; row++) {
            if (Corpus.SEEDED.tag(row) < percent) {
                rows.add(new float[] {row, Corpus.SEEDED.score(row)});
            }
        }
        rows.sort((one, other) -> Float.compare(other[1], one[1]));
        return rows.subList(0, count);
    }

    @Test
    void whatCannotBeUsedIsRefusedByName() throws Exception {
        for (String bad : List.of("/x/search?sel=101", "/x/search?sel=-1", "/x/search?sel=",
                "/x/search?sel=1.5", "/x/search?k=0", "/x/search?k=101", "/x/slow?ms=10001",
                "/x/slow?ms=x", "/x/search?k=%zz")) {
            assertEquals(400, handler.handle(Requests.get(bad)).status(), bad);
        }
        assertTrue(get("/x/search?k=0").contains("The parameter k is a number from 1 to 100."));
    }
}
