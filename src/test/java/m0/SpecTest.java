package m0;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.Rules;
import harness.Rules.Edit;
import harness.Rules.Rule;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

class SpecTest {
    private static final Path TEST_CLASSES = Path.of("target/test-classes");

    private static final String TOY = """
            ## Glossary
            | word | meaning |
            |---|---|
            | toy | what is played with |
            ## A. Toys
            | id | promise | gate | rule | status |
            |---|---|---|---|---|
            | A1, A3 | It rolls. | toy.RollGate#rolls, #stops | no wheel; no brake | verified |
            | A4–A6 | It shines. | toy.PaintTest#shines | | partial |
            | B1 | It flies. | | | planned |
            ## Not claimed
            """;
    private static final Set<String> GATES = Set.of("toy.RollGate#rolls", "toy.RollGate#stops");
    private static final Set<String> TESTS = Set.of("toy.PaintTest#shines");
    private static final Rule NO_WHEEL = rule("no wheel", "toy.RollGate#rolls");
    private static final Rule NO_BRAKE = rule("no brake", "toy.RollGate#stops");

    @Test
    void specHoldsAgainstGatesAndRules() throws Exception {
        Set<String> gates = methods("Gate.class");
        Set<String> tests = methods("Test.class");
        assertFalse(gates.isEmpty(), "no gates were found");
        assertEquals("", String.join("\n", SpecRules.problems(
                Files.readString(Path.of("SPEC.md")), gates, tests, Rules.all(Path.of("")))));
    }

    @Test
    void toyHolds() {
        assertEquals(List.of(), problems(TOY));
    }

    @Test
    void verifiedNeedsAMethodAndARule() {
        assertProblem("A4–A6: verified without a method and a rule that breaks it",
                TOY.replace("partial", "verified"));
        assertProblem("B1: verified without a method and a rule that breaks it",
                TOY.replace("planned", "verified"));
        assertProblem("B1: partial without a method", TOY.replace("planned", "partial"));
    }

    @Test
    void ruleMustBreakAMethodOfItsRow() {
        assertProblem("A1, A3: does not cite toy.RollGate#stops, which the rule \"no brake\" breaks",
                List.of(NO_WHEEL, NO_BRAKE), Set.of("toy.RollGate#rolls"),
                TOY.replace(", #stops", ""));
    }

    @Test
    void citedMethodMustExist() {
        assertProblem("A1, A3: no such method: toy.RollGate#slides",
                TOY.replace("#stops", "#stops, #slides"));
        assertProblem("B1: no such method: toy.FlyGate#flies",
                TOY.replace("It flies. | |", "It flies. | toy.FlyGate#flies |"));
    }

    @Test
    void citedRuleMustExist() {
        assertProblem("A4–A6: no such rule: no paint",
                TOY.replace("#shines | |", "#shines | no paint |"));
    }

    @Test
    void everyRuleIsCited() {
        assertProblem("no row cites the rule \"no seat\"",
                List.of(NO_WHEEL, NO_BRAKE, rule("no seat", "toy.RollGate#rolls")), GATES, TOY);
    }

    @Test
    void everyGateMethodIsCited() {
        assertProblem("no row cites the gate toy.RollGate#honks", List.of(NO_WHEEL, NO_BRAKE),
                Set.of("toy.RollGate#rolls", "toy.RollGate#stops", "toy.RollGate#honks"), TOY);
    }

    @Test
    void plannedHasNoRuleYet() {
        assertProblem("A1, A3: planned, and yet it has a rule",
                TOY.replace("verified", "planned"));
    }

    @Test
    void idsAreUnique() {
        assertProblem("A5: a second row", TOY.replace("| B1 |", "| A5 |"));
        assertProblem("A1: a second row", TOY.replace("| B1 |", "| B1, A1 |"));
        assertProblem("no id: roll", TOY.replace("| B1 |", "| roll |"));
    }

    @Test
    void statusIsOneOfFour() {
        assertProblem("B1: no status: done", TOY.replace("planned", "done"));
    }

    @Test
    void lastSectionIsNotClaimed() {
        assertProblem("the last section is \"Later\", not \"Not claimed\"", TOY + "## Later\n");
        assertProblem("no section \"Glossary\"", TOY.replace("Glossary", "Words"));
    }

    @Test
    void rowHasFiveCells() {
        assertThrows(IllegalArgumentException.class,
                () -> problems(TOY.replace("| B1 | It flies. |", "| B1 |")));
    }

    @Test
    void specWithoutRowsIsRefused() {
        assertEquals(List.of("no rows"), SpecRules.problems("## Glossary\n## Not claimed\n",
                Set.of(), Set.of(), List.of()));
    }

    private static List<String> problems(String text) {
        return SpecRules.problems(text, GATES, TESTS, List.of(NO_WHEEL, NO_BRAKE));
    }

    private static void assertProblem(String problem, String text) {
        assertProblem(problem, List.of(NO_WHEEL, NO_BRAKE), GATES, text);
    }

    private static void assertProblem(String problem, List<Rule> rules, Set<String> gates,
            String text) {
        assertEquals(List.of(problem), SpecRules.problems(text, gates, TESTS, rules));
    }

    private static Rule rule(String name, String gate) {
        return new Rule(name, gate, List.of("words"), 0, List.of(new Edit("A.java", "a", "b")),
                "toy.rules:1");
    }

    /** The test methods of the classes whose file ends in {@code suffix}, as {@code Class#method}. */
    private static Set<String> methods(String suffix) throws IOException, ClassNotFoundException {
        var found = new TreeSet<String>();
        List<Path> classes;
        try (var files = Files.walk(TEST_CLASSES)) {
            classes = files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
        for (Path file : classes) {
            String name = TEST_CLASSES.relativize(file).toString().replace(".class", "")
                    .replace('/', '.');
            for (Method method : Class.forName(name, false, SpecTest.class.getClassLoader())
                    .getDeclaredMethods()) {
                if (AnnotationSupport.isAnnotated(method, Testable.class)) {
                    found.add(name + "#" + method.getName());
                }
            }
        }
        return found;
    }
}
