package m0;

import harness.Rules.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What SPEC.md must keep to: a row cites methods and rules that exist, and may call itself
 * verified only where a rule breaks one of the methods it cites. Rows stand in the sections that
 * begin with a letter ({@code ## A. …}). Nothing here opens a file.
 */
final class SpecRules {
    private static final Set<String> STATUSES =
            Set.of("verified", "partial", "planned", "not claimed");
    private static final Pattern ID = Pattern.compile("([A-Z])(\\d+)(?:–\\1(\\d+))?");

    /**
     * One promise. In SPEC.md methods are parted by commas, and {@code #other} means another
     * method of the class before it; rules are parted by semicolons.
     */
    record Row(String ids, String promise, List<String> methods, List<String> rules,
            String status) {
        /** The row of a line of a table, or null for a line that is none. */
        static Row of(String line) {
            if (!line.startsWith("|") || line.startsWith("|---") || line.startsWith("| id ")) {
                return null;
            }
            String[] cells = line.substring(1).split("\\|", -1);
            if (cells.length != 6) {
                throw new IllegalArgumentException("not five cells: " + line);
            }
            var methods = new ArrayList<String>();
            String owner = "";
            for (String cited : parts(cells[2], ",")) {
                if (cited.startsWith("#")) {
                    methods.add(owner + cited);
                } else {
                    methods.add(cited);
                    owner = cited.replaceAll("#.*", "");
                }
            }
            return new Row(cells[0].strip(), cells[1].strip(), methods, parts(cells[3], ";"),
                    cells[4].strip());
        }

        private static List<String> parts(String cell, String separator) {
            var parts = new ArrayList<String>();
            for (String part : cell.split(separator)) {
                if (!part.isBlank()) {
                    parts.add(part.strip());
                }
            }
            return parts;
        }
    }

    private final List<String> problems = new ArrayList<>();

    private SpecRules() {
    }

    /**
     * Everything wrong with the text of a SPEC.md.
     *
     * @param gates the methods of gates, each of which some row must cite
     * @param tests the methods of unit tests
     * @param rules the sabotage rules, each of which some row must cite
     */
    static List<String> problems(String text, Set<String> gates, Set<String> tests,
            List<Rule> rules) {
        var spec = new SpecRules();
        spec.checkSections(text);
        var rows = new ArrayList<Row>();
        boolean promises = false;
        for (String line : text.split("\n")) {
            if (line.startsWith("## ")) {
                promises = line.matches("## [A-Z]\\. .*");
            }
            Row row = promises ? Row.of(line) : null;
            if (row != null) {
                rows.add(row);
            }
        }
        if (rows.isEmpty()) {
            spec.problems.add("no rows");
        }
        var known = new HashMap<String, Rule>();
        for (Rule rule : rules) {
            known.put(rule.name(), rule);
        }
        spec.checkIds(rows);
        for (Row row : rows) {
            spec.checkRow(row, gates, tests, known);
        }
        spec.checkNothingIsLeftOut(rows, gates, known);
        return spec.problems;
    }

    private void checkSections(String text) {
        String last = "";
        boolean glossary = false;
        for (String line : text.split("\n")) {
            if (line.startsWith("## ")) {
                last = line.substring(3);
                glossary |= last.equals("Glossary");
            }
        }
        if (!last.equals("Not claimed")) {
            problems.add("the last section is \"" + last + "\", not \"Not claimed\"");
        }
        if (!glossary) {
            problems.add("no section \"Glossary\"");
        }
    }

    private void checkIds(List<Row> rows) {
        var seen = new HashSet<String>();
        for (Row row : rows) {
            for (String part : row.ids().split(",")) {
                Matcher id = ID.matcher(part.strip());
                if (!id.matches()) {
                    problems.add("no id: " + row.ids());
                    continue;
                }
                int first = Integer.parseInt(id.group(2));
                int last = id.group(3) == null ? first : Integer.parseInt(id.group(3));
                for (int number = first; number <= last; number++) {
                    if (!seen.add(id.group(1) + number)) {
                        problems.add(id.group(1) + number + ": a second row");
                    }
                }
            }
        }
    }

    private void checkRow(Row row, Set<String> gates, Set<String> tests,
            Map<String, Rule> known) {
        if (!STATUSES.contains(row.status())) {
            problems.add(row.ids() + ": no status: " + row.status());
        }
        if (row.promise().isEmpty()) {
            problems.add(row.ids() + ": no promise");
        }
        for (String method : row.methods()) {
            if (!gates.contains(method) && !tests.contains(method)) {
                problems.add(row.ids() + ": no such method: " + method);
            }
        }
        for (String name : row.rules()) {
            Rule rule = known.get(name);
            if (rule == null) {
                problems.add(row.ids() + ": no such rule: " + name);
            } else if (!row.methods().contains(rule.gate())) {
                problems.add(row.ids() + ": does not cite " + rule.gate() + ", which the rule \""
                        + name + "\" breaks");
            }
        }
        if (row.status().equals("verified") && (row.methods().isEmpty() || row.rules().isEmpty())) {
            problems.add(row.ids() + ": verified without a method and a rule that breaks it");
        }
        if (row.status().equals("partial") && row.methods().isEmpty()) {
            problems.add(row.ids() + ": partial without a method");
        }
        if (row.status().equals("planned") && !row.rules().isEmpty()) {
            problems.add(row.ids() + ": planned, and yet it has a rule");
        }
    }

    private void checkNothingIsLeftOut(List<Row> rows, Set<String> gates,
            Map<String, Rule> known) {
        var methodsCited = new HashSet<String>();
        var rulesCited = new HashSet<String>();
        for (Row row : rows) {
            methodsCited.addAll(row.methods());
            rulesCited.addAll(row.rules());
        }
        for (String gate : gates) {
            if (!methodsCited.contains(gate)) {
                problems.add("no row cites the gate " + gate);
            }
        }
        for (String name : known.keySet()) {
            if (!rulesCited.contains(name)) {
                problems.add("no row cites the rule \"" + name + "\"");
            }
        }
    }
}
