package operate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text in Prometheus' format 0.0.4, read as strictly as any scraper might: each family begins with
 * one HELP and one TYPE line, its samples stand together, no series comes twice, and a histogram's
 * buckets ascend, are cumulative and end with what its count says.
 */
final class Exposition {
    private static final Pattern HELP = Pattern.compile("# HELP ([a-z0-9_]+) (\\S.*\\S)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE ([a-z0-9_]+) (counter|gauge|histogram)");
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-z][a-z0-9_]*)(?:\\{([a-z][a-z0-9_]*)=\"([a-zA-Z0-9_.+]+)\"\\})? ([0-9]+(?:\\.[0-9]+)?)");

    /** What has one HELP and one TYPE. */
    private static final class Family {
        final String name;
        final String type;
        final List<String> labels = new ArrayList<>();

        Family(String name, String type) {
            this.name = name;
            this.type = type;
        }

        boolean owns(String sample) {
            return type.equals("histogram")
                    ? sample.equals(name + "_bucket") || sample.equals(name + "_sum")
                            || sample.equals(name + "_count")
                    : sample.equals(name);
        }
    }

    private final Map<String, Family> families = new LinkedHashMap<>();
    /** Series, as it stands in front of its value, to the value. */
    private final Map<String, Double> samples = new LinkedHashMap<>();

    private Exposition() {
    }

    /** Reads a whole body. */
    static Exposition read(byte[] body) {
        for (byte octet : body) {
            if (octet != '\n' && (octet < ' ' || octet > '~')) {
                throw new AssertionError("the byte " + octet + " is none of printable ASCII");
            }
        }
        String text = new String(body, StandardCharsets.US_ASCII);
        if (!text.endsWith("\n")) {
            throw new AssertionError("the last line does not end");
        }
        var exposition = new Exposition();
        String helped = "";
        Family family = null;
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            Matcher help = HELP.matcher(line);
            Matcher type = TYPE.matcher(line);
            if (help.matches()) {
                exposition.end(family);
                family = null;
                helped = help.group(1);
            } else if (type.matches() && type.group(1).equals(helped)) {
                family = new Family(helped, type.group(2));
                exposition.begin(family);
                helped = "";
            } else {
                exposition.sample(family, line);
            }
        }
        exposition.end(family);
        return exposition;
    }

    private void begin(Family family) {
        if (families.putIfAbsent(family.name, family) != null) {
            throw new AssertionError(family.name + " comes twice");
        }
        if (family.type.equals("counter") != family.name.endsWith("_total")) {
            throw new AssertionError(family.name + " is a " + family.type);
        }
    }

    private void sample(Family family, String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (family == null || !sample.matches() || !family.owns(sample.group(1))) {
            throw new AssertionError("not a line of "
                    + (family == null ? "any family" : family.name) + ": " + line);
        }
        String series = line.substring(0, line.lastIndexOf(' '));
        if (samples.putIfAbsent(series, Double.valueOf(sample.group(4))) != null) {
            throw new AssertionError(series + " comes twice");
        }
        if (sample.group(1).endsWith("_bucket")) {
            family.labels.add(sample.group(3));
        }
    }

    private void end(Family family) {
        if (family != null && family.type.equals("histogram")) {
            checkHistogram(family);
        }
    }

    private void checkHistogram(Family family) {
        double bound = Double.NEGATIVE_INFINITY;
        double count = 0;
        for (String label : family.labels) {
            double next = label.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(label);
            if (next <= bound) {
                throw new AssertionError(family.name + ": " + label + " is not above the bound ahead");
            }
            bound = next;
            double below = value(family.name + "_bucket{le=\"" + label + "\"}");
            if (below < count) {
                throw new AssertionError(family.name + ": not cumulative at " + label + ": " + below
                        + " behind " + count);
            }
            count = below;
        }
        if (bound != Double.POSITIVE_INFINITY || count != value(family.name + "_count")) {
            throw new AssertionError(family.name + ": the last bucket is " + bound + " with " + count
                    + ", and the count " + value(family.name + "_count"));
        }
        if (value(family.name + "_sum") > 0 && count == 0) {
            throw new AssertionError(family.name + ": a sum of nothing");
        }
    }

    /** The value of a series, which must be there; written as it stands in the text. */
    double value(String series) {
        Double value = samples.get(series);
        if (value == null) {
            throw new AssertionError("no series " + series + " among " + samples.keySet());
        }
        return value;
    }

    boolean has(String series) {
        return samples.containsKey(series);
    }

    /** All values of a family's series together. */
    double sum(String family) {
        double sum = 0;
        for (Map.Entry<String, Double> sample : samples.entrySet()) {
            if (sample.getKey().equals(family) || sample.getKey().startsWith(family + "{")) {
                sum += sample.getValue();
            }
        }
        return sum;
    }

    /** Name and type of each family. */
    Collection<String> families() {
        return families.values().stream().map(family -> family.name + " " + family.type).toList();
    }

    /** Every series, in alphabetical order. */
    Set<String> series() {
        return new TreeSet<>(samples.keySet());
    }
}
