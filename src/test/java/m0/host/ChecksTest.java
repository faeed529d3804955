package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {
    private static final List<String> ORDER = List.of("port", "address", "application", "mounts",
            "workers-count", "workers-vs-application", "threads-count", "workers-vs-threads",
            "threads-vs-application", "blocking-threads", "variables");

    /** An application whose state lives in one handler. */
    private static final class Single implements App {
        @Override
        public AppHandler make(HostContext context) {
            throw new AssertionError("checks make nothing");
        }

        @Override
        public int maxWorkers() {
            return 1;
        }

        @Override
        public Set<String> settings() {
            return Set.of("M0_SINGLE");
        }
    }

    /** An application of which several threads may share a handler, or may not. */
    private static class Shared implements App {
        private final boolean shared;

        Shared(boolean shared) {
            this.shared = shared;
        }

        @Override
        public AppHandler make(HostContext context) {
            throw new AssertionError("checks make nothing");
        }

        @Override
        public boolean handlerShared() {
            return shared;
        }
    }

    @Test
    void defaultsHoldInTheSettledOrder() {
        List<Check> checks = evaluate("", Map.of());
        assertEquals(ORDER, checks.stream().map(Check::name).toList());
        assertNull(Checks.firstFailure(checks));
        assertTrue(checks.stream().allMatch(check -> check.fix().isEmpty()));
    }

    @ParameterizedTest
    @CsvSource({
            "port, --port 65536, 78, --port 65536 is not in 0..65535",
            "port, --port -1, 78, --port -1 is not in 0..65535",
            "port, --port x, 2, --port x cannot be read as 0..65535",
            "address, --host example.org, 78, --host example.org is no address to listen on",
            "application, --app nope, 78, --app nope: no application and no class is called nope",
            "mounts, --mount /x=hello, 78, --mount /x=hello is for the subcommand serve alone",
            "mounts, --mount-loop 1, 78, --mount-loop 1 is for the subcommand serve alone",
            "mounts, serve, 78, 'the subcommand serve is another program''s, java -jar host.jar"
                    + " serve'",
            "mounts, train, 78, the subcommand train is not served yet",
            "workers-count, --workers 0, 78, --workers 0 is less than 1",
            "workers-count, --workers 1025, 78, --workers 1025 is not in 1..1024",
            "workers-count, --workers x, 2, --workers x cannot be read as 1..1024",
            "threads-count, --threads 0, 78, --threads 0 is less than 1",
            "threads-count, --threads 1025, 78, --threads 1025 is not in 1..1024",
            "threads-count, --threads x, 2, --threads x cannot be read as 1..1024",
            "blocking-threads, --blocking-threads 1025, 2,"
                    + " --blocking-threads 1025 cannot be read as 0..1024 or virtual",
            "blocking-threads, --blocking-threads x, 2,"
                    + " --blocking-threads x cannot be read as 0..1024 or virtual",
            "variables, --max-body x, 2, --max-body x cannot be read as 0..1024m",
            "variables, --access-log=2, 2,"
                    + " '--access-log 2 cannot be read as 1, true, 0 or false'"})
    void refusesFromTheCommandLine(String name, String words, int exit, String finding) {
        assertRefusal(evaluate(words, Map.of()), name, exit, finding);
    }

    @ParameterizedTest
    @CsvSource({
            "port, M0_PORT, 65536, M0_PORT=65536 is not in 0..65535",
            "port, M0_PORT, x, M0_PORT=x cannot be read as 0..65535",
            "address, M0_HOST, x, M0_HOST=x is no address to listen on",
            "application, M0_APP, nope, M0_APP=nope: no application and no class is called nope",
            "mounts, M0_MOUNT, /x=y, M0_MOUNT=/x=y is for the subcommand serve alone",
            "workers-count, M0_WORKERS, 0, M0_WORKERS=0 is less than 1",
            "threads-count, M0_THREADS, -3, M0_THREADS=-3 is less than 1",
            "threads-count, M0_THREADS, 4294967298, M0_THREADS=4294967298 is not in 1..1024",
            "blocking-threads, M0_BLOCKING_THREADS, -1,"
                    + " M0_BLOCKING_THREADS=-1 cannot be read as 0..1024 or virtual",
            "variables, M0_MAX_HEAD, 1g, M0_MAX_HEAD=1g cannot be read as 256..16m",
            "variables, M0_METRICS, on, 'M0_METRICS=on cannot be read as 1, true, 0 or false'",
            "variables, M0_BOGUS, 1, M0_BOGUS is no setting",
            "variables, M0_SINGLE, 1, M0_SINGLE is no setting"})
    void refusesFromTheEnvironment(String name, String variable, String value, String finding) {
        assertRefusal(evaluate("", Map.of(variable, value)), name, 78, finding);
    }

    /** A supervisor sets it, and nobody else has reason to. */
    @ParameterizedTest
    @ValueSource(strings = {"abc", "-1", "1024", "99999999999", ""})
    void whatIsNoWorkersIndexIsRefused(String index) {
        for (String directory : List.of("/dev/shm/m0-1", "")) {
            Map<String, String> variables = new HashMap<>();
            variables.put("M0_INTERNAL_WORKER", index);
            if (!directory.isEmpty()) {
                variables.put("M0_INTERNAL_DIRECTORY", directory);
            }
            List<Check> checks = evaluate("", variables);
            assertRefusal(checks, "variables", 78,
                    "M0_INTERNAL_WORKER=" + index + " is no worker's index");
            assertEquals("unset M0_INTERNAL_WORKER and M0_INTERNAL_DIRECTORY, which a supervisor sets"
                    + " for its workers", Checks.firstFailure(checks).fix());
        }
        assertNull(Checks.firstFailure(evaluate("", Map.of("M0_INTERNAL_WORKER", "1023"))));
    }

    @Test
    void aWorkersDirectoryThatIsNoPathIsRefused() {
        List<Check> checks = evaluate("", Map.of("M0_INTERNAL_WORKER", "0",
                "M0_INTERNAL_DIRECTORY", "/dev\0/shm"));
        assertRefusal(checks, "variables", 78, "M0_INTERNAL_DIRECTORY=/dev?/shm is no path");
        assertNull(Checks.firstFailure(evaluate("", Map.of("M0_INTERNAL_WORKER", "0",
                "M0_INTERNAL_DIRECTORY", "/dev/shm"))));
    }

    @Test
    void applicationsOwnVariablesAreKnown() {
        assertNull(Checks.firstFailure(evaluate(new Single(), "", Map.of("M0_SINGLE", "1"))));
        List<Check> misspelt = evaluate(new Single(), "", Map.of("M0_SINGEL", "1"));
        assertRefusal(misspelt, "variables", 78, "M0_SINGEL is no setting");
        assertTrue(Checks.firstFailure(misspelt).fix().endsWith(" adds M0_SINGLE"));
    }

    @Test
    void applicationsLimitsAreJudgedBesideTheCounts() {
        List<Check> checks = evaluate(new Single(), "--workers 3 --threads 2", Map.of());
        Check workers = named(checks, "workers-vs-application");
        assertFalse(workers.ok());
        assertTrue(workers.detail().endsWith("allows, 1"), workers.detail());
        Check threads = named(checks, "threads-vs-application");
        assertFalse(threads.ok(), "the limit of threads defaults to that of workers");
        Check both = named(checks, "workers-vs-threads");
        assertEquals("--workers 3 and --threads 2 exclude each other", both.detail());
    }

    @Test
    void poolThreadsOfAllLoopsAreBoundedTogether() {
        assertRefusal(evaluate("--blocking-threads 1024 --threads 1024", Map.of()),
                "blocking-threads", 78, "--blocking-threads 1024 behind each of 1024 loops are"
                        + " 1048576 threads, more than 16384");
        assertTrue(named(evaluate("--blocking-threads 1024 --threads 16", Map.of()),
                "blocking-threads").ok());
    }

    /** The second host has a lane for each of its applications, and nothing without lanes. */
    @Test
    void whatStandsOnSeveralLanesIsCountedAndNeedsThreads() {
        App app = new Shared(false);
        Service.LanePlan plan = Service.alone(app).lanes().get(0);
        Service three =
                new Service(app, Service.alone(app).placement(), List.of(plan, plan, plan));
        Selection selection = new Selection("three", three, true, "mount /x=two",
                Check.holds("application", "three"), Check.holds("mounts", "none"));
        assertRefusal(lanes(selection, "--blocking-threads 0"), "blocking-threads", 78,
                "--blocking-threads 0 leaves three no thread to answer on");
        assertRefusal(lanes(selection, "--blocking-threads 1000 --threads 6"), "blocking-threads",
                78, "--blocking-threads 1000 on each of 3 lanes behind each of 6 loops are 18000"
                        + " threads, more than 16384");
        assertRefusal(lanes(selection, "--blocking-threads virtual"), "blocking-threads", 78,
                "--blocking-threads virtual is for handlers that several threads may share, which"
                        + " mount /x=two's may not");
        for (int jdk : new int[] {17, 21}) {
            assertTrue(Checks.firstFailure(lanes(selection, "--blocking-threads virtual", jdk)).fix()
                    .startsWith("set M0_BLOCKING_THREADS or --blocking-threads to 1..1024"),
                    "JDK " + jdk);
        }
        assertEquals("4 on each of 3 lanes behind each loop",
                named(lanes(selection, "--blocking-threads 4"), "blocking-threads").detail());
    }

    /** It would be without effect, and nobody would know. */
    @Test
    void aBoundOfALaneWithoutALaneIsRefused() {
        assertRefusal(evaluate("", Map.of("M0_LANE_QUEUE", "5")), "blocking-threads", 78,
                "M0_LANE_QUEUE=5 bounds the wait for a pool thread, and there is none");
        assertRefusal(evaluate("--lane-deadline-ms 200", Map.of()), "blocking-threads", 78,
                "--lane-deadline-ms 200 bounds the wait for a pool thread, and there is none");
        assertTrue(named(evaluate("--blocking-threads 1 --lane-queue 5 --lane-deadline-ms 200",
                Map.of()), "blocking-threads").ok());
        assertTrue(named(evaluate("--lane-queue 0", Map.of()), "blocking-threads").ok());
    }

    private static List<Check> lanes(Selection selection, String words) {
        return lanes(selection, words, 21);
    }

    private static List<Check> lanes(Selection selection, String words, int jdk) {
        Environment environment = new Environment(Map.of());
        OneApplication program = OneApplication.named(ChecksTest.class.getClassLoader());
        return Checks.evaluate(new Settings(CommandLine.read(words.split(" "), program), environment,
                program), environment, selection, onJdk(jdk));
    }

    @Test
    void poolThreadsAreServed() {
        Check held = named(evaluate("--blocking-threads 4", Map.of()), "blocking-threads");
        assertTrue(held.ok());
        assertEquals("4 behind each loop", held.detail());
    }

    @Test
    void applicationWhoseStateLivesInOneHandlerIsRefusedALane() {
        for (String pool : List.of("1", "virtual")) {
            List<Check> checks = evaluate(new Single(), "--blocking-threads " + pool, Map.of());
            assertRefusal(checks, "blocking-threads", 78, "--blocking-threads " + pool
                    + " is more than application " + Single.class.getName()
                    + " allows, whose state lives in one handler");
            assertEquals("set M0_BLOCKING_THREADS or --blocking-threads to 0",
                    Checks.firstFailure(checks).fix());
        }
        assertNull(Checks.firstFailure(evaluate(new Single(), "--blocking-threads 0", Map.of())));
    }

    /** The application's word, and not its limits, where the two differ. */
    @Test
    void applicationThatSaysSoIsAllowedALaneWhateverItsLimits() {
        App app = new Shared(false) {
            @Override
            public int maxThreads() {
                return 1;
            }

            @Override
            public boolean poolAllowed() {
                return true;
            }
        };
        assertNull(Checks.firstFailure(evaluate(app, "--blocking-threads 2", Map.of())));
    }

    @Test
    void virtualThreadsAreRefusedByAJdkThatHasNone() {
        for (int jdk : new int[] {17, 20}) {
            List<Check> checks =
                    evaluate(new Shared(true), "", Map.of("M0_BLOCKING_THREADS", "virtual"), jdk);
            assertRefusal(checks, "blocking-threads", 78,
                    "M0_BLOCKING_THREADS=virtual is for JDK 21 and later, and this is " + jdk);
            assertEquals("set M0_BLOCKING_THREADS or --blocking-threads to 0..1024, or run it on a"
                    + " later JDK", Checks.firstFailure(checks).fix());
        }
    }

    @Test
    void virtualThreadsNeedAHandlerThatMayBeShared() {
        Map<String, String> virtual = Map.of("M0_BLOCKING_THREADS", "virtual");
        List<Check> refused = evaluate(new Shared(false), "", virtual, 21);
        assertRefusal(refused, "blocking-threads", 78, "M0_BLOCKING_THREADS=virtual is for handlers"
                + " that several threads may share, which application " + Shared.class.getName()
                + "'s may not");
        List<Check> served = evaluate(new Shared(true), "", virtual, 21);
        assertNull(Checks.firstFailure(served));
        assertEquals("virtual", named(served, "blocking-threads").detail());
    }

    /** What a JVM keeps closed, what it was given, and the room there is, each of a start's own. */
    private static final class Narrow implements Surroundings {
        private Check closed;
        private Check closedToWorkers;
        private InetSocketAddress given;
        private Check unserved;
        private long freeBytes = Room.UNKNOWN;

        @Override
        public Check missingOpening() {
            return closed;
        }

        @Override
        public Check missingOpeningForWorkers() {
            return closedToWorkers;
        }

        @Override
        public InetSocketAddress givenAddress() {
            return given;
        }

        @Override
        public Check unservedSocket(Environment environment) {
            return unserved;
        }

        @Override
        public Room room() {
            return new Room(Path.of("/shared"), freeBytes);
        }
    }

    private final Narrow narrow = new Narrow();

    @Test
    void whatTheJvmKeepsClosedRefusesWhoeverNeedsIt() {
        narrow.closed = Check.refuses("application", "closed", "open it");
        assertRefusal(evaluate(null, "", Map.of(), narrow), "application", 78, "closed");
        assertRefusal(evaluate(null, "--app nope", Map.of(), narrow), "application", 78,
                "--app nope: no application and no class is called nope");
        narrow.closed = null;
        narrow.closedToWorkers = Check.refuses("workers-count", "closed to workers", "open it");
        assertNull(Checks.firstFailure(evaluate(null, "--workers 1", Map.of(), narrow)));
        assertRefusal(evaluate(null, "--workers 2", Map.of(), narrow), "workers-count", 78,
                "closed to workers");
    }

    @Test
    void socketThatWasGivenIsSaidInThePlaceOfPortAndAddress() {
        narrow.given = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        List<Check> checks = evaluate(null, "--port 80", Map.of(), narrow);
        assertEquals("4711, inherited as descriptor 0; M0_PORT and --port have no effect",
                named(checks, "port").detail());
        assertEquals("127.0.0.1, inherited as descriptor 0; M0_HOST and --host have no effect",
                named(checks, "address").detail());
        assertNull(Checks.firstFailure(checks));
    }

    @Test
    void socketThatIsNotServedRefusesTheStart() {
        narrow.unserved = Check.refuses("port", "a socket that is not served", "give another");
        assertRefusal(evaluate(null, "", Map.of(), narrow), "port", 78,
                "a socket that is not served");
    }

    @Test
    void roomForWhatWorkersShareIsSaidAndWhereItLacksTheStartFails() {
        long needed = SharedFiles.bytes(new Settings(CommandLine.read(new String[] {"--workers", "2"},
                OneApplication.named(ChecksTest.class.getClassLoader())), new Environment(Map.of()),
                OneApplication.named(ChecksTest.class.getClassLoader())), null);
        assertTrue(needed > 2 << 20 && needed < 3 << 20, needed + " bytes");
        narrow.freeBytes = 1 << 20;
        List<Check> checks = evaluate(null, "--workers 2", Map.of(), narrow);
        assertRefusal(checks, "workers-count", 1, "--workers 2 needs 2056 KiB in /shared, where"
                + " 1024 KiB are free");
        assertTrue(Checks.firstFailure(checks).fix().endsWith(
                ", or set M0_WORKERS or --workers to fewer"), Checks.firstFailure(checks).fix());
        assertNull(Checks.firstFailure(evaluate(null, "--workers 1", Map.of(), narrow)));
        narrow.freeBytes = 3 << 20;
        assertEquals("2, which share 2056 KiB in /shared, where 3072 KiB are free",
                named(evaluate(null, "--workers 2", Map.of(), narrow), "workers-count").detail());
        narrow.freeBytes = Surroundings.Room.UNKNOWN;
        assertEquals("2, which share 2056 KiB in /shared",
                named(evaluate(null, "--workers 2", Map.of(), narrow), "workers-count").detail());
    }

    /** Its supervisor has taken the room that it would ask for once more. */
    @Test
    void aWorkerIsNotAskedWhatItsSupervisorWas() {
        narrow.freeBytes = 0;
        assertNull(Checks.firstFailure(evaluate(null, "--workers 2", Map.of("M0_INTERNAL_WORKER", "1",
                "M0_INTERNAL_DIRECTORY", "/shared/m0w"), narrow)));
    }

    @Test
    void pageWordsThatCannotBeSharedAreRefused() {
        App negative = new Shared(false) {
            @Override
            public int pageSlots(int loops) {
                return -loops;
            }
        };
        assertRefusal(evaluate(negative, "--workers 2", Map.of(), narrow), "workers-count", 78,
                "the application's pageSlots cannot be served: loops=2 applicationWords=-2");
    }

    @Test
    void everyFailureIsShownAndTheFirstRefuses() {
        Map<String, String> all = new HashMap<>();
        all.put("M0_PORT", "70000");
        all.put("M0_HOST", "x");
        all.put("M0_APP", "nope");
        all.put("M0_MOUNT", "/x=y");
        all.put("M0_WORKERS", "0");
        all.put("M0_THREADS", "0");
        all.put("M0_BLOCKING_THREADS", "x");
        all.put("M0_BOGUS", "1");
        List<Check> checks = evaluate("", all);
        assertEquals(List.of("port", "address", "application", "mounts", "workers-count",
                "threads-count", "blocking-threads", "variables"),
                checks.stream().filter(check -> !check.ok()).map(Check::name).toList());
        assertEquals("port", Checks.firstFailure(checks).name());
    }

    @Test
    void everyFixNamesFlagAndVariable() {
        for (Setting setting : Setting.values()) {
            List<Check> checks = evaluate("", Map.of(setting.variable(), "\u00a0"));
            Check refusal = Checks.firstFailure(checks);
            assertTrue(refusal.fix().contains(setting.variable() + " "), setting.name());
            assertTrue(refusal.fix().contains(setting.flag()), setting.name());
        }
    }

    private static void assertRefusal(List<Check> checks, String name, int exit, String finding) {
        Check refusal = Checks.firstFailure(checks);
        assertNotNull(refusal, "nothing is refused, and not: " + finding);
        assertEquals(name, refusal.name());
        assertEquals(finding, refusal.detail());
        assertEquals(exit, refusal.exit());
        assertFalse(refusal.fix().isEmpty());
    }

    private static Check named(List<Check> checks, String name) {
        return checks.get(ORDER.indexOf(name));
    }

    private static List<Check> evaluate(String words, Map<String, String> variables) {
        return evaluate(null, words, variables);
    }

    private static List<Check> evaluate(App app, String words, Map<String, String> variables) {
        return evaluate(app, words, variables, Runtime.version().feature());
    }

    private static List<Check> evaluate(App app, String words, Map<String, String> variables,
            int jdk) {
        return evaluate(app, words, variables, onJdk(jdk));
    }

    private static Surroundings onJdk(int jdk) {
        return new Surroundings() {
            @Override
            public int jdk() {
                return jdk;
            }
        };
    }

    private static List<Check> evaluate(App app, String words, Map<String, String> variables,
            Surroundings surroundings) {
        OneApplication program = app == null
                ? OneApplication.named(ChecksTest.class.getClassLoader())
                : OneApplication.given(app);
        CommandLine line =
                CommandLine.read(words.isEmpty() ? new String[0] : words.split(" "), program);
        Environment environment = new Environment(variables);
        Settings settings = new Settings(line, environment, program);
        return Checks.evaluate(settings, environment, program.select(settings, line.command()),
                surroundings);
    }
}
