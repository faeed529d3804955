package harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The sabotage rules: text files {@code sabotage/rules/*.rules}.
 *
 * <pre>
 * # a comment
 * rule: lingering close as close          unique, one line; SPEC.md cites it
 * gate: wire.LingeringGate#reachesUploader  the one method that must fail; a unit test will do
 * words: connection reset                 its failure must contain them; may be repeated
 * jdk: 25                                 optional: the JDK it needs
 * file: src/main/java/m0/connection/Connection.java
 * &lt;&lt;&lt;&lt;
 *             transport.shutdownOutput();
 * ====
 *             transport.close();
 * &gt;&gt;&gt;&gt;
 * </pre>
 *
 * <p>The text between the first two marks must occur exactly once in the file; it may span lines,
 * and may begin and end in the middle of one. A further block edits the same file, a further
 * {@code file:} names another. The next {@code rule:} ends the rule.
 *
 * <p>This file stands alone, so that {@code sabotage/run --list} can run it from its source.
 */
public final class Rules {
    private static final String FIND = "<<<<";
    private static final String REPLACE = "====";
    private static final String END = ">>>>";

    /** One replacement in one file. */
    public record Edit(String file, String find, String replacement) {
    }

    /** One way to break the host, and the method that must notice. {@code jdk} 0: any. */
    public record Rule(String name, String gate, List<String> words, int jdk, List<Edit> edits,
            String source) {
        /** Whether the method is a gate, which starts servers, rather than a unit test. */
        boolean isGate() {
            return gateClass().endsWith("Gate");
        }

        String gateClass() {
            return gate.substring(0, gate.indexOf('#'));
        }

        String method() {
            return gate.substring(gate.indexOf('#') + 1);
        }

        boolean mentions(String text) {
            String wanted = text.toLowerCase(Locale.ROOT);
            return name.toLowerCase(Locale.ROOT).contains(wanted)
                    || gate.toLowerCase(Locale.ROOT).contains(wanted);
        }
    }

    /** A rule file that cannot be read: file, line and what is wrong. */
    public static final class BadRule extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadRule(String message) {
            super(message);
        }
    }

    private final String source;
    private final List<Rule> rules = new ArrayList<>();
    private Map<String, String> fields;
    private List<String> words;
    private List<Edit> edits;
    private String ruleSource;

    private Rules(String source) {
        this.source = source;
    }

    /** Prints the selected rules below the working directory, one a line. */
    public static void main(String[] arguments) throws IOException {
        var only = new ArrayList<String>();
        var skip = new ArrayList<String>();
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--list" -> { }
                case "--only" -> only.add(arguments[++i]);
                case "--skip" -> skip.add(arguments[++i]);
                case "--jobs", "--bound" -> i++;
                default -> throw new BadRule("--list does not go with " + arguments[i]);
            }
        }
        for (Rule rule : select(all(Path.of("")), only, skip)) {
            System.out.println(rule.name() + "  [" + rule.gate() + "]");
        }
    }

    /** Every rule below {@code root}, by file name and then as written. */
    public static List<Rule> all(Path root) throws IOException {
        Path directory = root.resolve("sabotage").resolve("rules");
        var all = new ArrayList<Rule>();
        if (Files.isDirectory(directory)) {
            try (var files = Files.list(directory)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".rules")).sorted()
                        .toList()) {
                    all.addAll(parse(file.getFileName().toString(), Files.readString(file)));
                }
            }
        }
        var seen = new HashMap<String, String>();
        for (Rule rule : all) {
            String before = seen.put(rule.name(), rule.source());
            if (before != null) {
                throw new BadRule(rule.source() + ": the name stands at " + before + " too: "
                        + rule.name());
            }
        }
        return all;
    }

    /** The rules of which some {@code only} (when there is one) and no {@code skip} is a part. */
    static List<Rule> select(List<Rule> rules, List<String> only, List<String> skip) {
        return rules.stream()
                .filter(rule -> only.isEmpty() || only.stream().anyMatch(rule::mentions))
                .filter(rule -> skip.stream().noneMatch(rule::mentions))
                .toList();
    }

    /** The rules of one file, whose name is for messages. */
    public static List<Rule> parse(String source, String text) {
        var reader = new Rules(source);
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i];
            if (line.equals(FIND)) {
                i = reader.block(lines, i);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                reader.field(line, i + 1);
            }
        }
        reader.endRule();
        return reader.rules;
    }

    private void field(String line, int number) {
        int colon = line.indexOf(':');
        String value = line.substring(colon + 1).strip();
        String key = colon < 0 ? "" : line.substring(0, colon);
        if (key.equals("rule")) {
            endRule();
            fields = new HashMap<>();
            words = new ArrayList<>();
            edits = new ArrayList<>();
            ruleSource = source + ":" + number;
        }
        if (fields == null) {
            throw new BadRule(source + ":" + number + ": a rule begins with \"rule:\"");
        }
        if (value.isEmpty()) {
            throw new BadRule(source + ":" + number + ": no value: " + line);
        }
        switch (key) {
            case "words" -> words.add(value);
            case "file" -> fields.put("file", value);
            case "rule", "gate", "jdk" -> {
                if (fields.put(key, value) != null) {
                    throw new BadRule(source + ":" + number + ": a second \"" + key + ":\"");
                }
            }
            default -> throw new BadRule(source + ":" + number + ": not understood: " + line);
        }
    }

    /** Reads the block whose first mark is line {@code start}; returns the index of its last. */
    private int block(String[] lines, int start) {
        int middle = find(lines, start + 1, REPLACE);
        int end = middle < 0 ? -1 : find(lines, middle + 1, END);
        if (end < 0) {
            throw new BadRule(source + ":" + (start + 1) + ": a block without its end");
        }
        if (fields == null || !fields.containsKey("file")) {
            throw new BadRule(source + ":" + (start + 1) + ": a block before \"file:\"");
        }
        String find = join(lines, start + 1, middle);
        if (find.isBlank()) {
            throw new BadRule(source + ":" + (start + 1) + ": nothing to find");
        }
        edits.add(new Edit(fields.get("file"), find, join(lines, middle + 1, end)));
        return end;
    }

    private static int find(String[] lines, int from, String mark) {
        for (int i = from; i < lines.length; i++) {
            if (lines[i].equals(mark)) {
                return i;
            }
        }
        return -1;
    }

    private static String join(String[] lines, int from, int to) {
        return String.join("\n", List.of(lines).subList(from, to));
    }

    private void endRule() {
        if (fields == null) {
            return;
        }
        String gate = fields.getOrDefault("gate", "");
        if (!gate.matches("[\\w.]+#\\w+")) {
            throw new BadRule(ruleSource + ": \"gate:\" must be Class#method, not \"" + gate + '"');
        }
        if (words.isEmpty()) {
            throw new BadRule(ruleSource + ": no \"words:\"");
        }
        if (edits.isEmpty()) {
            throw new BadRule(ruleSource + ": no edit");
        }
        rules.add(new Rule(fields.get("rule"), gate, List.copyOf(words),
                Integer.parseInt(fields.getOrDefault("jdk", "0")), List.copyOf(edits),
                ruleSource));
        fields = null;
    }
}
