package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The gates' reader of metrics against texts that are right and wrong on purpose. */
class ExpositionTest {
    private static final String GAUGE = "# HELP a_b What it is.\n# TYPE a_b gauge\n";
    private static final String HISTOGRAM = "# HELP h_s What it is.\n# TYPE h_s histogram\n";
    private static final String BUCKETS = "h_s_bucket{le=\"0.5\"} 1\nh_s_bucket{le=\"+Inf\"} 3\n";
    private static final String TOTALS = "h_s_sum 1.250\nh_s_count 3\n";

    @Test
    void readsValuesBySeries() {
        Exposition read = read(GAUGE + "a_b{x=\"one\"} 3\na_b{x=\"two\"} 4\n"
                + HISTOGRAM + BUCKETS + TOTALS);
        assertEquals(3, read.value("a_b{x=\"one\"}"));
        assertEquals(7, read.sum("a_b"));
        assertEquals(1.25, read.value("h_s_sum"));
        assertEquals(List.of("a_b gauge", "h_s histogram"), List.copyOf(read.families()));
        assertTrue(read.has("h_s_count"));
        assertEquals(6, read.series().size());
        assertRefused("no series a_c", () -> read.value("a_c"));
    }

    @Test
    void refusesWhatIsNoLineOfTheFormat() {
        for (String line : List.of("a_b 1 ", "a_b  1", "a_b -", "a_b{x=one} 1", "a_b{x=\"\"} 1",
                "a_b{x=\"a\\\"b\"} 1", "a_b{x=\"1\",y=\"2\"} 1", "A_b 1", "", "# a comment",
                "other 1")) {
            assertRefused("not a line of a_b", () -> read(GAUGE + line + "\n"));
        }
        assertRefused("not a line of any family", () -> read("a_b 1\n"));
        assertRefused("does not end", () -> read(GAUGE + "a_b 1"));
        assertRefused("printable", () -> read(GAUGE + "a_b 1\r\n"));
        assertRefused("printable", () -> read("# HELP a_b \u00e4\n"));
    }

    @Test
    void refusesFamiliesAndSeriesThatComeTwiceOrHaveTheWrongType() {
        assertRefused("comes twice", () -> read(GAUGE + "a_b 1\na_b 2\n"));
        assertRefused("a_b comes twice", () -> read(GAUGE + "a_b 1\n" + GAUGE));
        assertRefused("a_b is a counter", () -> read(GAUGE.replace("gauge", "counter") + "a_b 1\n"));
        assertRefused("a_b_total is a gauge", () -> read(GAUGE.replace("a_b", "a_b_total")));
        assertRefused("any family", () -> read("# HELP a_b x.\n# TYPE a_c gauge\n"));
    }

    @Test
    void refusesHistogramsThatDoNotAddUp() {
        assertRefused("not cumulative", () -> read(HISTOGRAM + BUCKETS.replace("} 1", "} 4") + TOTALS));
        assertRefused("the count 4", () -> read(HISTOGRAM + BUCKETS + TOTALS.replace("count 3", "count 4")));
        assertRefused("the last bucket", () -> read(HISTOGRAM + "h_s_bucket{le=\"0.5\"} 3\n" + TOTALS));
        assertRefused("not above", () -> read(HISTOGRAM + "h_s_bucket{le=\"1\"} 1\n" + BUCKETS + TOTALS));
        assertRefused("no series h_s_sum", () -> read(HISTOGRAM + BUCKETS + "h_s_count 3\n"));
        assertRefused("a sum of nothing", () -> read(HISTOGRAM
                + "h_s_bucket{le=\"+Inf\"} 0\nh_s_sum 1\nh_s_count 0\n"));
    }

    private static Exposition read(String text) {
        return Exposition.read(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void assertRefused(String words, Runnable reading) {
        String message = assertThrows(AssertionError.class, reading::run).getMessage();
        assertTrue(message.contains(words), message);
    }
}
