package process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One side of a comparison: how its server is started and what its loop's thread is called.
 *
 * @param name       as it stands in the artifact
 * @param jdk        what runs it
 * @param arguments  of {@code java}; {@code PORT} stands for the port
 * @param settings   environment variables; {@code PORT} stands for the port
 * @param loopThread the name of the thread that serves
 */
public record Arm(String name, Jdk jdk, List<String> arguments, Map<String, String> settings,
        String loopThread) {
    /** How the names of ours's pool threads begin. */
    public static final String POOL_THREADS = "m0-handler-";

    private static final String PORT = "PORT";

    /** The packaged host serving hello with one loop, without a keep-alive cap. */
    public static Arm ours(String name, Jdk jdk, Path hostJar) {
        return new Arm(name, jdk, List.of("-jar", hostJar.toString()),
            Map.of("M0_HOST", "127.0.0.1", "M0_PORT", PORT, "M0_APP", "hello",
                "M0_MAX_KEEPALIVE_REQUESTS", "0"),
            "m0-loop-0");
    }

    /** The floor, answering with the bytes of a file. */
    public static Arm bare(String name, Jdk jdk, Path classes, Path answer) {
        return new Arm(name, jdk,
            List.of("-cp", classes.toString(), "floor.BareSelector", PORT, answer.toString()),
            Map.of(), "bare-loop-0");
    }

    /** A program that does nothing but end when it is asked to: see {@code floor.BareEnd}. */
    public static Arm end(String name, Jdk jdk, Path classes) {
        return new Arm(name, jdk, List.of("-cp", classes.toString(), "floor.BareEnd"), Map.of(),
            "main");
    }

    /**
     * The second host serving an application with so many pool threads behind its one loop, without a
     * keep-alive cap.
     */
    public static Arm serve(String name, Jdk jdk, Path hostJar, String application, int threads) {
        return new Arm(name, jdk, List.of("-jar", hostJar.toString(), "serve"),
            Map.of("M0_HOST", "127.0.0.1", "M0_PORT", PORT, "M0_APP", application,
                "M0_BLOCKING_THREADS", String.valueOf(threads), "M0_MAX_KEEPALIVE_REQUESTS", "0"),
            "m0-loop-0");
    }

    /**
     * The JDK's own server with the same application and as many threads: see {@code floor.JdkServer}.
     * It keeps more idle connections than the 200 it keeps by itself, or it would close some in the
     * middle of a load.
     */
    public static Arm jdkServer(String name, Jdk jdk, Path classes, Path hostJar,
            String application, int threads) {
        return new Arm(name, jdk, List.of("-Dcom.sun.net.httpserver.HttpServerProvider="
                + "sun.net.httpserver.DefaultHttpServerProvider",
                "-Dsun.net.httpserver.maxIdleConnections=4096", "-cp",
                classes + File.pathSeparator + hostJar, "floor.JdkServer", PORT, application,
                String.valueOf(threads)), Map.of(), "HTTP-Dispatcher");
    }

    /** The same arm under another name, with a flag for its JVM. */
    public Arm withFlag(String otherName, String flag) {
        List<String> flagged = new ArrayList<>(arguments);
        flagged.add(0, flag);
        return new Arm(otherName, jdk, List.copyOf(flagged), settings, loopThread);
    }

    /** The same arm under another name, with more environment variables. */
    public Arm with(String otherName, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return new Arm(otherName, jdk, arguments, Map.copyOf(all), loopThread);
    }

    /** The same arm run by another JDK. */
    public Arm on(Jdk other) {
        return new Arm(name, other, arguments, settings, loopThread);
    }

    List<String> command(String cores, int port) {
        List<String> command = new ArrayList<>(
            List.of("taskset", "-c", cores, jdk.program("java")));
        for (String argument : arguments) {
            command.add(argument.equals(PORT) ? String.valueOf(port) : argument);
        }
        return command;
    }

    Map<String, String> environment(int port) {
        var environment = new HashMap<String, String>();
        settings.forEach((name, value) ->
            environment.put(name, value.equals(PORT) ? String.valueOf(port) : value));
        return environment;
    }
}
