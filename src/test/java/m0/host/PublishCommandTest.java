package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.Producer;
import m0.app.Publisher;
import m0.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The child's side, against a server in this process. */
@Timeout(60)
class PublishCommandTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Lends a door, and says what it was lent. */
    private static final class Parent implements App {
        volatile Map<String, String> environment;
        volatile Publisher publisher;

        @Override
        public AppHandler make(HostContext given) {
            environment = given.childEnvironment();
            publisher = given.publisher();
            return request -> Response.empty(204);
        }
    }

    @Test
    void eachLineOfStdinIsAnEvent() throws Exception {
        Parent app = new Parent();
        Server server = Server.start(config(), app);
        try {
            assertEquals(0, publish(app.environment, "one\ntwo\r\n\nlast", "news"));
            assertEquals("publish: ok published=4 first=1 last=4 refused=0\n", err.toString());
            assertEquals(5, app.publisher.publish("news", "", ByteBuffer.allocate(1)).id(), "children and handlers share their ids");
        } finally {
            assertTrue(server.stop(PATIENCE));
        }
        assertEquals(List.of(), door(app), "the socket and its directory are gone");
    }

    @Test
    void manyLinesAreSentWhole() throws Exception {
        Parent app = new Parent();
        Server server = Server.start(config(), app);
        try {
            String line = "x".repeat(64 * 1024);
            publish(app.environment, (line + "\n").repeat(40), "news", "--event", "beat");
            assertTrue(err.toString().startsWith("publish: ok published=40 first=1 last=40 refused="),
                    err.toString());
        } finally {
            assertTrue(server.stop(PATIENCE));
        }
    }

    @Test
    void aLineThatIsTooLongEndsIt() throws Exception {
        Parent app = new Parent();
        Server server = Server.start(config(), app);
        try {
            assertEquals(1, publish(app.environment, "1\n2\n" + "x".repeat(64 * 1024 + 1), "news"));
            assertEquals("publish: line 3 is longer than 65536 bytes; those before it were sent\n",
                    err.toString());
        } finally {
            assertTrue(server.stop(PATIENCE));
        }
    }

    @Test
    void aChannelOfTheHostIsRefusedWithItsReason() throws Exception {
        Parent app = new Parent();
        Server server = Server.start(config(), app);
        try {
            assertEquals(1, publish(app.environment, "1\n", "\u0001news"));
            assertEquals("publish: cut published=0 channels that begin with byte 0x01 are"
                    + " reserved\n", err.toString());
        } finally {
            assertTrue(server.stop(PATIENCE));
        }
    }

    @Test
    void aHostThatIsGoneIsTold() throws Exception {
        Parent app = new Parent();
        Server server = Server.start(config(), app);
        assertTrue(server.stop(PATIENCE));
        assertEquals(1, publish(app.environment, "1\n", "news"));
        assertTrue(err.toString().startsWith("publish: the host is gone"), err.toString());
    }

    @Test
    void outsideAHostItIsRefused() {
        assertEquals(78, publish(Map.of(), "1\n", "news"));
        assertEquals("publish: M0_INTERNAL_PUBLISH is not set (a host gives it to its children:"
                + " HostContext.childEnvironment)\n", err.toString());
    }

    @Test
    void aCommandLineThatCannotBeReadIs2() {
        Map<String, String> some = Map.of("M0_INTERNAL_PUBLISH", "/nowhere");
        for (String[] words : new String[][] {{}, {"--event"}, {"news", "--event"},
                {"news", "more"}, {"--loud", "news"}, {"n".repeat(256)},
                {"news", "--event=" + "e".repeat(256)}}) {
            assertEquals(2, publish(some, "1\n", words), String.join(" ", words));
        }
        assertEquals(7, err.toString().lines().filter(line -> line.endsWith(
                "(publish CHANNEL [--event NAME], each line of stdin is an event)")).count());
    }

    /** Wherever it stands, and outside a host too. */
    @Test
    void helpSaysHowAndPublishesNothing() {
        for (String[] words : new String[][] {{"--help"}, {"-h"}, {"news", "--help"}}) {
            out.reset();
            assertEquals(0, publish(Map.of(), "1\n", words), String.join(" ", words));
            assertTrue(out.toString().startsWith("usage: java -jar host.jar publish CHANNEL"
                    + " [--event NAME], each line of stdin is an event\n"), out.toString());
            assertEquals("", err.toString());
        }
    }

    @Test
    void aDoorCannotBeAskedForWhileServing() throws Exception {
        Server server = Server.start(config(), context -> request -> {
            try {
                return Response.text(200, context.childEnvironment().toString());
            } catch (IllegalStateException tooLate) {
                return Response.text(200, tooLate.getMessage());
            }
        });
        try (InputStream answer =
                URI.create("http://127.0.0.1:" + server.port() + "/").toURL().openStream()) {
            assertEquals("childEnvironment is there for who asked for it in make or producer,"
                    + " before anything was served",
                    new String(answer.readAllBytes(), StandardCharsets.UTF_8));
        } finally {
            assertTrue(server.stop(PATIENCE));
        }
    }

    @Test
    void aRefusedStartLeavesNoDoorBehind() throws Exception {
        Parent app = new Parent();
        App refusing = new App() {
            @Override
            public AppHandler make(HostContext context) {
                return app.make(context);
            }

            @Override
            public Producer producer(HostContext context) {
                assertTrue(Files.exists(Path.of(app.environment.get("M0_INTERNAL_PUBLISH"))));
                throw new IllegalStateException("no device");
            }
        };
        Server server = Server.bind(config());
        assertThrows(IllegalStateException.class, () -> server.start(refusing));
        assertEquals(List.of(), door(app));
        assertFalse(Files.exists(Path.of(app.environment.get("M0_INTERNAL_PUBLISH"))));
    }

    private int publish(Map<String, String> environment, String input, String... words) {
        return PublishCommand.run(words, environment,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true), new PrintStream(err, true));
    }

    /** The door's files that are there. */
    private static List<Path> door(Parent app) throws IOException {
        Path directory = Path.of(app.environment.get("M0_INTERNAL_PUBLISH")).getParent();
        return Files.exists(directory) ? List.of(directory) : List.of();
    }

    private static ServerConfig config() {
        return ServerConfig.builder().host("127.0.0.1").port(0).build();
    }
}
