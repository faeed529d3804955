package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** E24, E28: an application that refuses to be made, and a loop that ends by an {@code Error}. */
@Gate
class StartFailureGate {
    @Test
    void makeThatThrowsIsARefusalWithItsMessage() {
        expectRefusal(ServerProcess.app("host_check").set("M0_HOSTCHECK_MAKE_RAISES", "1"),
                "host: the application's make threw on loop 0:"
                        + " M0_HOSTCHECK_MAKE_RAISES asked make to throw\n");
    }

    @Test
    void makeThatThrowsLateIsOneToo() {
        expectRefusal(ServerProcess.app("host_check").set("M0_HOSTCHECK_LOOP_MAKE_RAISES", "0"),
                "host: the application's make threw on loop 0:"
                        + " M0_HOSTCHECK_LOOP_MAKE_RAISES asked make to throw on loop 0\n");
    }

    @Test
    void makeThatFailsIsToldByItsClassItsStackAndItsCauses() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_HOSTCHECK_MAKE_RAISES", "2").launch()) {
            assertEquals(78, server.awaitExit(RawClient.WAIT));
            assertTrue(server.stderr().matches("host: the application's make threw on loop 0:"
                    + " java\\.io\\.IOException: M0_HOSTCHECK_MAKE_RAISES asked make to fail\n"
                    + "    at host_check\\.HostCheck\\.make\\(.*\n(    at .*\n)*"
                    + "    caused by java\\.util\\.NoSuchElementException: for this cause\n"
                    + "(    (at|and) .*\n){1,5}"), server.stderr());
        }
    }

    private static void expectRefusal(ServerProcess.Plan plan, String line) {
        try (ServerProcess server = plan.launch()) {
            assertEquals(78, server.awaitExit(RawClient.WAIT));
            assertEquals(line, server.stderr());
            assertEquals("", server.stdout());
        }
    }

    @Test
    void loopThatEndsByAnErrorTakesTheProcess() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_HOSTCHECK_LOOP_ERROR", "1").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/health").expect(200);
            client.send("GET /error HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readUntilClosed(RawClient.WAIT);
            assertEquals(1, server.awaitExit(RawClient.WAIT));
            assertEquals(1, server.stderrLinesWith("host: loop 0 ended by java.lang.AssertionError:"
                    + " host_check was asked for an Error, and the process with it"),
                    server.stderr());
            assertTrue(server.stderr().contains(" with it, while it answered GET /error\n"
                    + "    at host_check.HostCheckHandler.error("), server.stderr());
        }
    }

    @Test
    void jvmThatMayNotTakeSignalsIsRefused() {
        expectRefusal(ServerProcess.app("hello").jvm("-Xrs"), "host: signals are not left to this"
                + " JVM, so nothing could stop it in order (start java without -Xrs)\n");
    }

    @Test
    void withoutTheOpeningItNeedsItRefusesAndNamesTheFlag() {
        expectRefusal(ServerProcess.program("m0.main.Main", "--port", "0"),
                "host: java.base does not open jdk.internal.misc (start with java -jar host.jar,"
                        + " or add --add-opens java.base/jdk.internal.misc=ALL-UNNAMED to the"
                        + " command line of java)\n");
    }
}
