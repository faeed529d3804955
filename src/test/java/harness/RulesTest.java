package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Rules.BadRule;
import harness.Rules.Edit;
import harness.Rules.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesTest {
    private static final String TWO = """
            # a comment
            rule: lingering close as close
            gate: wire.LingeringGate#reachesTheUploader
            words: connection reset
            words: by peer
            file: A.java
            <<<<
              one {
                two: # no field
            ====
            >>>>
            <<<<
            three
            ====
              four
            >>>>
            file: B.java
            <<<<
            five
            ====
            six

            >>>>

            rule: second
            jdk: 25
            gate: m0.bytes.AsciiTest#reads
            words: seven
            file: A.java
            <<<<
            one
            ====
            eight
            >>>>
            """;

    @Test
    void readsFieldsAndBlocksAsWritten() {
        List<Rule> rules = Rules.parse("x.rules", TWO);
        assertEquals(List.of(
                new Rule("lingering close as close", "wire.LingeringGate#reachesTheUploader",
                        List.of("connection reset", "by peer"), 0,
                        List.of(new Edit("A.java", "  one {\n    two: # no field", ""),
                                new Edit("A.java", "three", "  four"),
                                new Edit("B.java", "five", "six\n")), "x.rules:2"),
                new Rule("second", "m0.bytes.AsciiTest#reads", List.of("seven"), 25,
                        List.of(new Edit("A.java", "one", "eight")), "x.rules:25")), rules);
        assertTrue(rules.get(0).isGate());
        assertTrue(!rules.get(1).isGate());
    }

    @Test
    void selectsByPartsOfNameAndGate() {
        List<Rule> rules = Rules.parse("x", TWO);
        assertEquals(rules, Rules.select(rules, List.of(), List.of()));
        assertEquals(rules.subList(0, 1), Rules.select(rules, List.of("Lingering"), List.of()));
        assertEquals(rules.subList(1, 2), Rules.select(rules, List.of("asciitest#"), List.of()));
        assertEquals(rules.subList(1, 2), Rules.select(rules, List.of(), List.of("wire.")));
        assertEquals(List.of(), Rules.select(rules, List.of("nothing"), List.of()));
    }

    @Test
    void refusesWhatItCannotReadByFileAndLine() {
        assertRefused("x:1: a rule begins with", "gate: a.B#c\n");
        assertRefused("x:2: not understood", TWO.replace("# a comment\n", "")
                .replace("gate: wire", "gaet: wire"));
        assertRefused("x:3: a second \"gate:\"", "rule: a\ngate: a.B#c\ngate: a.B#c\n");
        assertRefused("x:2: no value", "rule: a\ngate:\n");
        assertRefused("x:1: \"gate:\" must be Class#method", "rule: a\ngate: a.B\nwords: w\n");
        assertRefused("x:2: a block before \"file:\"", "rule: a\n<<<<\none\n====\n>>>>\n");
        assertRefused("x:3: a block without its end", "rule: a\nfile: f\n<<<<\none\n====\n");
        assertRefused("x:3: nothing to find", "rule: a\nfile: f\n<<<<\n\n====\none\n>>>>\n");
        assertRefused("x:1: no \"words:\"", TWO.replace("# a comment\n", "")
                .replaceAll("words: (con|by).*\n", ""));
        assertRefused("x:1: no edit", "rule: a\ngate: a.B#c\nwords: w\n");
    }

    @Test
    void refusesANameThatStandsTwice(@TempDir Path root) throws IOException {
        Path rules = Files.createDirectories(root.resolve("sabotage/rules"));
        Files.writeString(rules.resolve("a.rules"), TWO);
        Files.writeString(rules.resolve("b.rules"), TWO.substring(TWO.indexOf("rule: second")));
        var refused = assertThrows(BadRule.class, () -> Rules.all(root));
        assertEquals("b.rules:1: the name stands at a.rules:25 too: second", refused.getMessage());
    }

    @Test
    void treeWithoutRulesHasNone(@TempDir Path root) throws IOException {
        assertEquals(List.of(), Rules.all(root));
    }

    /** So that a text which moved is found in a second and not behind a thousand rules. */
    @Test
    void everyTextStandsOnceInTheFileThatItBreaks() throws IOException {
        var stale = new ArrayList<String>();
        for (Rule rule : Rules.all(Path.of(""))) {
            var texts = new HashMap<String, String>();
            for (Edit edit : rule.edits()) {
                String text = texts.containsKey(edit.file()) ? texts.get(edit.file())
                        : Files.readString(Path.of(edit.file()));
                int first = text.indexOf(edit.find());
                if (first < 0 || text.indexOf(edit.find(), first + 1) >= 0) {
                    stale.add(rule.name() + ": " + edit.file());
                }
                texts.put(edit.file(), text.replace(edit.find(), edit.replacement()));
            }
        }
        assertEquals(List.of(), stale);
    }

    private static void assertRefused(String message, String text) {
        var refused = assertThrows(BadRule.class, () -> Rules.parse("x", text));
        assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
    }
}
