package serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** E215: what serve refuses, by name, with 78 and before anything is bound; the doctor agrees. */
@Gate
class ServeRefusalGate {
    private static final Duration BOUND = Duration.ofSeconds(40);
    private static final int JDK_WITH_VIRTUAL_THREADS = 21;
    /** What it takes, 0 not being served. */
    private static final String THREADS = "1..1024";

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "--app nope|--app nope: no application and no class is called nope",
            "--app hello|--app hello: class hello.Hello is no com.sun.net.httpserver.HttpHandler",
            "--mount /x=nope|mount /x=nope: no application and no class is called nope",
            "--mount /x=bareapp|mount /x=bareapp: class bareapp.BareApp is no m0.app.App",
            "--mount /x|mount /x is not /x=NAME",
            "--mount x=hello|prefix x is not",
            "--mount /=hello|prefix / is not",
            "--mount /x/=hello|prefix /x/ is not",
            "--mount /%78=hello|prefix /%78 is not",
            "--mount /x=hello,/x=echo|prefix /x is given twice",
            "--mount /x=hello,|mount \"\" is not /x=NAME",
            "--blocking-threads 0|--blocking-threads 0 leaves bareapp no thread to answer on",
            "--blocking-threads 1024 --threads 16 --mount /x=hello"
                    + "|on each of 2 lanes behind each of 16 loops are 32768 threads"})
    void whatCannotBeServedIsRefusedByName(String words, String finding) {
        try (ServerProcess served = plan(words).launch();
                ServerProcess asked = plan(words + " --doctor").launch()) {
            assertEquals(78, served.awaitExit(BOUND), served.stderr());
            assertTrue(served.stderr().startsWith("host: ")
                    && served.stderr().contains(finding), served.stderr());
            assertEquals(1, served.stderr().lines().count(), served.stderr());
            assertEquals(78, asked.awaitExit(BOUND), asked.stdout());
        }
    }

    /** host_check's limit is a setting of its own, which serve knows as the mount's. */
    @Test
    void aMountsLimitsAreTheHosts() {
        try (ServerProcess served = plan("--mount /c=host_check --threads 2")
                .set("M0_HOSTCHECK_MAX_WORKERS", "1").launch()) {
            assertEquals(78, served.awaitExit(BOUND), served.stderr());
            assertTrue(served.stderr().contains("mount /c=host_check "), served.stderr());
        }
    }

    /** The first of them is named, where the JDK has virtual threads at all. */
    @Test
    void virtualThreadsNeedMountsWhoseHandlersMayBeShared() {
        boolean there = Runtime.version().feature() >= JDK_WITH_VIRTUAL_THREADS;
        try (ServerProcess served = plan("--blocking-threads virtual"
                + " --mount /e=echo,/c=host_check,/h=hello").launch()) {
            assertEquals(78, served.awaitExit(BOUND), served.stderr());
            assertTrue(served.stderr().startsWith("host: --blocking-threads virtual is for "
                    + (there ? "handlers that several threads may share, which mount"
                            + " /c=host_check's may not (" : "JDK 21 and later, and this is ")),
                    served.stderr());
            assertTrue(served.stderr().contains(
                    "(set M0_BLOCKING_THREADS or --blocking-threads to " + THREADS), served.stderr());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "--blocking-threads|--blocking-threads has no value, it takes",
            "--blocking-threads many|--blocking-threads many cannot be read as",
            "--blocking-threads 1025|--blocking-threads 1025 cannot be read as"})
    void noLineOffersNoThreads(String words, String finding) {
        try (ServerProcess served = plan(words).launch()) {
            assertEquals(2, served.awaitExit(BOUND), served.stderr());
            assertTrue(served.stderr().startsWith("host: " + finding + " " + THREADS + " or virtual"),
                    served.stderr());
            assertFalse(served.stderr().contains("0..1024"), served.stderr());
        }
    }

    @Test
    void aMountThatCannotBeMadeIsRefusedByNameOnTheLoopAndOnItsLane() {
        for (String knob : List.of("M0_HOSTCHECK_LOOP_MAKE_RAISES",
                "M0_HOSTCHECK_POOL_MAKE_RAISES")) {
            try (ServerProcess served = plan("--mount /c=host_check").set(knob, "0").launch()) {
                assertEquals(78, served.awaitExit(BOUND), served.stderr());
                assertTrue(served.stderr().contains("mount /c=host_check: " + knob),
                        served.stderr());
            }
        }
    }

    @Test
    void theDoctorAndTheListeningLineCountTheLanes() {
        try (ServerProcess asked = plan("--mount /x=hello,/y=echo --threads 2 --doctor").launch();
                ServerProcess served = plan("--mount /x=hello,/y=echo --threads 2").start();
                RawClient client = RawClient.connect(served)) {
            assertEquals(0, asked.awaitExit(BOUND), asked.stderr());
            String report = asked.stdout();
            for (String part : List.of("\"M0_BLOCKING_THREADS\":4", "\"M0_APP\":\"bareapp\"",
                    "\"M0_MOUNT\":\"/x=hello,/y=echo\"", "\"handler_threads\":24",
                    "{\"name\":\"mounts\",\"ok\":true,\"detail\":\"/x=hello,/y=echo\"}",
                    "\"M0_APP\":\"default\"", "\"application\":{\"name\":\"bareapp\",")) {
                assertTrue(report.contains(part), part + " is not in " + report);
            }
            assertTrue(served.listeningLine().contains(" app=bareapp mode=threads loops=2 pool=24"),
                    served.listeningLine());
            client.get("/").expect(200).expectBody("bareapp\n");
        }
    }

    @Test
    void helpSaysTheSubcommandAndItsDefaults() {
        try (ServerProcess help = plan("--help").launch()) {
            assertEquals(0, help.awaitExit(BOUND), help.stderr());
            assertTrue(help.stdout().startsWith("usage: java -jar host.jar serve "),
                    help.stdout());
            assertTrue(help.stdout().contains("default bareapp"), help.stdout());
            assertTrue(help.stdout().contains("default 4, " + THREADS + " or virtual"),
                    help.stdout());
        }
    }

    private static ServerProcess.Plan plan(String words) {
        return Serving.bareapp().args(words.split(" "));
    }
}
