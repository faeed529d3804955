package harness;

import static harness.ToyTree.rule;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Rules.Rule;
import harness.Sabotage.Options;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each verdict of the harness, provoked on a toy tree in processes of its own. */
class SabotageTest {
    private static final String LETS_FOUR_IN = "count <= MOST + 1";

    @TempDir
    static Path directory;
    private static ToyTree toy;
    private static String report;
    private static int exit;

    @BeforeAll
    static void runEveryRuleButTheHangingOnes() throws Exception {
        toy = ToyTree.build(directory.resolve("toy"));
        String test = "toy.LimitTest#";
        String gate = "toy.ServerGate#";
        String limit = "count <= MOST";
        toy.write("sabotage/rules/toy.rules", "# every verdict\n"
                + rule("by a test", test + "refusesFour", "four was let in", limit, LETS_FOUR_IN)
                + rule("by a case of many", test + "cases", "case four", limit, LETS_FOUR_IN)
                + rule("by a gate", gate + "serverRefusesFour", "let four in", limit, LETS_FOUR_IN)
                + rule("inlined constant", test + "userKnowsTheLimit", "the user's limit",
                        "MOST = 3", "MOST = 4")
                + rule("unnoticed", test + "userKnowsTheLimit", "four", limit, LETS_FOUR_IN)
                + rule("comment only", test + "refusesFour", "four", "package toy;",
                        "/* the same code */ package toy;")
                + rule("other words", test + "refusesFour", "five was let in", limit, LETS_FOUR_IN)
                + rule("ends the JVM", test + "halts", "four", limit, LETS_FOUR_IN)
                + rule("test without the class", test + "neverLooks", "four", limit, LETS_FOUR_IN)
                + rule("no compile", test + "refusesFour", "four", limit, "count <=")
                + rule("anchor gone", test + "refusesFour", "four", "count < MOST", "true")
                + rule("anchor twice", test + "refusesFour", "four", "MOST", "LEAST")
                + rule("no such method", test + "refusesFive", "four", limit, LETS_FOUR_IN)
                + rule("no test", test + "isNoTest", "four", limit, LETS_FOUR_IN)
                + rule("red before", test + "isRed", "always", limit, LETS_FOUR_IN)
                + rule("disabled", test + "isDisabled", "four", limit, LETS_FOUR_IN)
                + rule("another JDK", test + "refusesFour", "four", limit, LETS_FOUR_IN)
                        .replace("gate:", "jdk: 999\ngate:"));
        var out = new ByteArrayOutputStream();
        try (var children = new Children()) {
            exit = Sabotage.run(toy.root(), Options.of("--jobs", "2"), new PrintStream(out),
                    children);
        }
        report = out.toString();
    }

    @Test
    void failureWithTheWordsIsCaught() {
        assertVerdict("CAUGHT", "by a test");
        assertVerdict("CAUGHT", "by a case of many");
        assertVerdict("CAUGHT", "by a gate");
    }

    @Test
    void usersOfAnEditedConstantAreCompiledAgain() {
        assertVerdict("CAUGHT", "inlined constant");
    }

    @Test
    void greenMethodIsMissed() {
        assertVerdict("MISSED", "unnoticed");
        assertReason("it stayed green", "unnoticed");
    }

    @Test
    void editThatLeavesTheCodeIsMissed() {
        assertVerdict("MISSED", "comment only");
        assertReason("the same code", "comment only");
    }

    @Test
    void failureWithoutTheWordsIsWrong() {
        assertVerdict("WRONG FAILURE", "other words");
        assertReason("without \"five was let in\"", "other words");
        assertVerdict("WRONG FAILURE", "ends the JVM");
    }

    @Test
    void untouchedClassIsNotLoaded() {
        assertVerdict("NOT LOADED", "test without the class");
    }

    @Test
    void mutantThatDoesNotCompileIsReported() {
        assertVerdict("COMPILE ERROR", "no compile");
    }

    @Test
    void anchorThatIsNotThereOnceIsStale() {
        assertVerdict("STALE", "anchor gone");
        assertReason("does not contain", "anchor gone");
        assertVerdict("STALE", "anchor twice");
        assertReason("more than once", "anchor twice");
    }

    @Test
    void methodThatIsNoTestIsStale() {
        assertVerdict("STALE", "no such method");
        assertVerdict("STALE", "no test");
    }

    @Test
    void methodThatIsNotGreenBeforeIsBroken() {
        assertVerdict("BROKEN GATE", "red before");
        assertVerdict("BROKEN GATE", "disabled");
    }

    @Test
    void ruleForAnotherJdkIsNotRun() {
        assertVerdict("NOT RUN", "another JDK");
    }

    @Test
    void summaryCountsAndTheExitCodeTells() {
        assertTrue(report.contains("\n4 caught, 12 missed, 1 not run, in "), report);
        assertTrue(report.endsWith(" s, 0 of the caught only again\n"), report);
        assertTrue(report.contains("[17/17, 0 s left] "), report);
        assertEquals(1, exit);
    }

    @Test
    void workingTreeIsNotTouched() throws IOException {
        assertTrue(Files.readString(toy.root().resolve("src/main/java/toy/Limit.java"))
                .contains("return count <= MOST;"));
        assertTrue(Files.getLastModifiedTime(toy.root().resolve("target/classes/toy/Limit.class"))
                .compareTo(Files.getLastModifiedTime(
                        toy.root().resolve("sabotage/rules/toy.rules"))) <= 0);
    }

    @Test
    void rulesRunBesideEachOtherAndAreJudgedAgainAloneWhereNotCaught() throws Exception {
        ToyTree beside = ToyTree.build(directory.resolve("beside"));
        String limit = "count <= MOST";
        String four = "four was let in";
        beside.write("sabotage/rules/toy.rules",
                rule("unnoticed", "toy.LimitTest#userKnowsTheLimit", four, limit, LETS_FOUR_IN)
                + rule("test at first", "toy.LimitTest#isRedAtFirst", four, limit, LETS_FOUR_IN)
                + rule("alone", "toy.AloneGate#first", four, limit, LETS_FOUR_IN)
                + rule("alone too", "toy.AloneGate#second", four, limit, LETS_FOUR_IN)
                + rule("meets", "toy.BesideGate#meetsTheOther", four, limit, LETS_FOUR_IN)
                + rule("is met", "toy.BesideGate#meetsTheOne", four, limit, LETS_FOUR_IN)
                + rule("at first", "toy.BesideGate#isRedAtFirst", four, limit, LETS_FOUR_IN)
                + rule("never", "toy.BesideGate#neverNotices", four, limit, LETS_FOUR_IN));
        var out = new ByteArrayOutputStream();
        try (var children = new Children()) {
            assertEquals(1, Sabotage.run(beside.root(), Options.of("--jobs", "3"),
                    new PrintStream(out), children));
        }
        String lines = out.toString();
        String seconds = "  [0-9.]+ s";
        for (String expected : List.of(
                "1/8, [^]]*] MISSED  unnoticed  .*" + seconds,
                "[23]/8, [^]]*] CAUGHT  meets  .*" + seconds,
                "[23]/8, [^]]*] CAUGHT  is met  .*" + seconds,
                "4/8, [^]]*] CAUGHT  alone  .*" + seconds,
                "5/8, [^]]*] CAUGHT  alone too  .*" + seconds,
                "6/8, [^]]*] CAUGHT  test at first  .*" + seconds
                        + ", again alone; at first BROKEN GATE",
                "[78]/8, [^]]*] CAUGHT  at first  .*" + seconds
                        + ", again alone; at first BROKEN GATE",
                "[78]/8, [^]]*] MISSED  never  .*" + seconds + ", again alone; at first MISSED")) {
            assertTrue(lines.lines().anyMatch(line -> line.matches("\\[" + expected)),
                    expected + " is no line of\n" + lines);
        }
        assertTrue(lines.contains("\n6 caught, 2 missed, 0 not run, in "), lines);
        assertTrue(lines.endsWith(" s, 2 of the caught only again\n"), lines);
    }

    @Test
    void rulesOfOneMethodAreKeptApart() {
        List<Rule> rules = Rules.parse("x", rule("a", "G#one", "w", "f", "r")
                + rule("b", "G#one", "w", "f", "r") + rule("c", "G#two", "w", "f", "r")
                + rule("d", "G#one", "w", "f", "r") + rule("e", "G#two", "w", "f", "r"));
        assertEquals(List.of("a", "c", "b", "e", "d"),
                Sabotage.methodsApart(rules).stream().map(Rule::name).toList());
    }

    @Test
    void ruleThatHangsItsGateIsEndedWithAllItStarted() throws Exception {
        ToyTree hanging = ToyTree.build(directory.resolve("hanging"));
        hanging.write("sabotage/rules/toy.rules", hangingRule());
        Path sign = hanging.root().resolve("target/hanging");
        // A bound that has passed before the gate's servers have started shows nothing.
        for (int bound = 10; bound <= 80 && Files.notExists(sign); bound *= 2) {
            var out = new ByteArrayOutputStream();
            Path temporary;
            try (var children = new Children()) {
                temporary = children.newDirectory().getParent();
                assertEquals(1, Sabotage.run(hanging.root(),
                        Options.of("--bound", String.valueOf(bound)), new PrintStream(out),
                        children));
                assertEquals(List.of(), processesOf(temporary));
            }
            assertTrue(out.toString().contains("] HUNG  hangs  ["), out.toString());
            assertTrue(Files.notExists(temporary), "the temporary directory stayed");
        }
        assertTrue(Files.exists(sign), "it did not hang");
    }

    @Test
    void signalInTheMiddleLeavesNothingBehind() throws Exception {
        ToyTree hanging = ToyTree.build(directory.resolve("signalled"));
        hanging.write("sabotage/rules/toy.rules", hangingRule());
        Path temporary = Files.createDirectories(directory.resolve("temporary")).toRealPath();
        Process harness = new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
                "-Djava.io.tmpdir=" + temporary, "-cp", System.getProperty("java.class.path"),
                Sabotage.class.getName()).directory(hanging.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("signalled.out").toFile()).start();
        try {
            Path sign = hanging.root().resolve("target/hanging");
            for (int i = 0; i < 12_000 && Files.notExists(sign) && harness.isAlive(); i++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertTrue(Files.exists(sign), () -> "nothing hangs: " + read("signalled.out"));
            for (int i = 0; i < 3000 && processesOf(temporary).size() < 2; i++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertTrue(processesOf(temporary).size() >= 2, "the gate and its server run");
            harness.destroy();
            assertTrue(harness.waitFor(60, TimeUnit.SECONDS), "the harness does not end");
            assertEquals(143, harness.exitValue());
            assertEquals("", read("signalled.out"));
            assertEquals(List.of(), processesOf(temporary));
            try (var left = Files.list(temporary)) {
                assertEquals(List.of(),
                        left.filter(file -> !file.endsWith("hsperfdata_root")).toList());
            }
        } finally {
            harness.destroyForcibly();
        }
    }

    private static String hangingRule() {
        return rule("hangs", "toy.ServerGate#hangs", "four", "return false;", "return true;");
    }

    private static List<String> processesOf(Path directory) {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(directory + "/m0-sabotage-")
                        || line.contains(directory + "/run-"))
                .toList();
    }

    private static String read(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (IOException failure) {
            return failure.toString();
        }
    }

    private static void assertVerdict(String verdict, String rule) {
        assertTrue(report.contains("] " + verdict + "  " + rule + "  ["), report);
    }

    private static void assertReason(String reason, String rule) {
        String line = report.substring(report.indexOf("  " + rule + "  ["));
        assertTrue(line.split("\n", 3)[1].contains(reason), line);
    }
}
