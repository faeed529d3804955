package kit;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The packaged server in a process of its own, as a gate sees it.
 *
 * <p>A gate plans it with {@link #app} or {@link #bare}, starts it with {@link Plan#start} (which
 * waits for the listening line) or {@link Plan#launch} (which waits for nothing), and closes it.
 * The process leads a session of its own, so that a signal to its group reaches whatever it has
 * started and nothing of ours, and so that {@link #close} leaves nothing behind. Its environment
 * is the gate's own, without {@code M0_*} and without options for the JVM.
 *
 * <p>System properties: {@code m0.jar} (default {@code target/host.jar}), {@code m0.java} (default
 * this JVM's), and for a run against a mutant {@code m0.mutant} (a directory of classes that goes
 * before the jar) with {@code m0.mutant.class} (the classes it must supply, see {@link Mutant}).
 *
 * <p>Threads: the gate's, any. Limits: every wait takes a bound and fails by name beyond it.
 */
public final class ServerProcess implements AutoCloseable {

    /** Lines of the log have stopped coming when none has come for so long. */
    private static final long SETTLING_MS = 250;
    private static final int SETTLING_LOOKS_MAX = 8;
    /** A JVM on a machine with two busy cores; a start takes a fifth of a second on a quiet one. */
    private static final Duration START_BOUND = Duration.ofSeconds(60);
    private static final Duration KILL_BOUND = Duration.ofSeconds(30);
    private static final int QUOTED_LINES_MAX = 60;
    /** The state of a listener in the kernel's tables of TCP. */
    private static final String LISTEN = "0A";
    private static final Pattern LISTENING = Pattern.compile(
            "^host: listening on http://(.+):([0-9]+) .*$(?=\n)", Pattern.MULTILINE);
    private static final Path LOGS = Path.of("target", "gate-logs");
    private static final Path TEST_CLASSES = Path.of("target", "test-classes");
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final Process process;
    private final List<String> command;
    private final Path temporary;
    private final Path out;
    private final Path err;
    private final Path loads;
    private String address;
    private int port;
    private boolean closed;

    private ServerProcess(Process process, List<String> command, Path logs, Path temporary) {
        this.process = process;
        this.command = command;
        this.temporary = temporary;
        this.out = logs.resolve("stdout");
        this.err = logs.resolve("stderr");
        this.loads = logs.resolve("loads");
    }

    /** A plan for application {@code name} on a free port of 127.0.0.1. */
    public static Plan app(String name) {
        return bare().set("M0_APP", name).set("M0_HOST", "127.0.0.1").set("M0_PORT", "0");
    }

    /** A plan that sets nothing: for command lines, refusals and the doctor. */
    public static Plan bare() {
        return new Plan();
    }

    /**
     * A plan for a program that knows nothing of a jar: its words behind the options of {@code java},
     * such as a main class with its arguments. The class path is the jar's and that of the tests; what
     * the jar opens by its manifest the program has to be given, and mutants of it as well.
     */
    public static Plan program(String... words) {
        Plan plan = bare();
        plan.program.addAll(List.of(words));
        return plan;
    }

    /** What a server is to be started with; each call adds to it and returns it. */
    public static final class Plan {
        private final Map<String, String> environment = new LinkedHashMap<>();
        private final List<String> jvmOptions = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();
        private final List<String> program = new ArrayList<>();
        private String java = java();
        private String shellPrelude = "";
        private Redirect input = Redirect.from(new File("/dev/null"));

        private Plan() {
        }

        /** Sets an environment variable of the server. */
        public Plan set(String variable, String value) {
            environment.put(variable, value);
            return this;
        }

        /** Takes an environment variable back. */
        public Plan unset(String variable) {
            environment.remove(variable);
            return this;
        }

        /** Adds arguments behind the jar. */
        public Plan args(String... more) {
            arguments.addAll(List.of(more));
            return this;
        }

        /** Adds options of the JVM, such as {@code -Xmx64m}. */
        public Plan jvm(String... options) {
            jvmOptions.addAll(List.of(options));
            return this;
        }

        /** Runs it on that {@code java} instead of the one that servers run on. */
        public Plan on(String otherJava) {
            java = otherJava;
            return this;
        }

        /** Runs {@code commands}, {@code ulimit -n 64} say, in the shell that becomes it. */
        public Plan shell(String commands) {
            shellPrelude = commands;
            return this;
        }

        /** Gives the server {@code file} as descriptor 0 instead of {@code /dev/null}. */
        public Plan stdin(File file) {
            return stdin(Redirect.from(file));
        }

        /** The same for what is no file, see {@link Descriptors}. */
        public Plan stdin(Redirect descriptor) {
            input = descriptor;
            return this;
        }

        /** Starts the server and waits for its listening line. */
        public ServerProcess start() {
            ServerProcess server = launch();
            try {
                server.awaitListening(START_BOUND);
                return server;
            } catch (RuntimeException | Error failure) {
                server.close();
                throw failure;
            }
        }

        /** Starts the server and waits for nothing. */
        public ServerProcess launch() {
            try {
                Path logs = LOGS.resolve(ProcessHandle.current().pid() + "-"
                        + STARTED.incrementAndGet());
                Files.createDirectories(logs);
                // Of its own, so that what a server leaves behind is seen, and gone with it. Short,
                // since the path of a Unix socket may have 107 bytes.
                Path temporary = Files.createTempDirectory("m0g");
                List<String> command = command(logs, temporary);
                ProcessBuilder builder = new ProcessBuilder(command);
                Map<String, String> inherited = builder.environment();
                inherited.keySet().removeIf(name -> name.startsWith("M0_")
                        || name.equals("JAVA_TOOL_OPTIONS") || name.equals("JDK_JAVA_OPTIONS")
                        || name.equals("_JAVA_OPTIONS"));
                inherited.putAll(environment);
                builder.redirectInput(input);
                builder.redirectOutput(logs.resolve("stdout").toFile());
                builder.redirectError(logs.resolve("stderr").toFile());
                ServerProcess server = new ServerProcess(builder.start(), command, logs, temporary);
                Servers.add(server);
                return server;
            } catch (IOException failure) {
                throw new AssertionError("the server could not be started: " + failure, failure);
            }
        }

        private List<String> command(Path logs, Path temporary) {
            List<String> command = new ArrayList<>();
            // setsid keeps the process id when its caller leads no group, as here.
            command.add("setsid");
            // A shell starts what it puts into the background with SIGINT ignored, for good.
            command.addAll(List.of("env", "--default-signal=INT"));
            if (!shellPrelude.isEmpty()) {
                command.addAll(List.of("sh", "-c", shellPrelude + "; exec \"$@\"", "sh"));
            }
            command.add(java);
            command.add("-Djava.io.tmpdir=" + temporary);
            command.addAll(jvmOptions);
            if (!program.isEmpty()) {
                String classes = jar() + File.pathSeparator + TEST_CLASSES;
                command.addAll(Mutant.present()
                        ? Mutant.classPath(classes, logs.resolve("loads"))
                        : List.of("-cp", classes));
                command.addAll(program);
            } else if (Mutant.present()) {
                command.addAll(Mutant.launch(jar(), logs.resolve("loads")));
            } else {
                command.addAll(List.of("-jar", jar().toString()));
            }
            command.addAll(arguments);
            return command;
        }
    }

    /** The jar under test. */
    public static Path jar() {
        Path jar = Path.of(System.getProperty("m0.jar", "target/host.jar"));
        if (!Files.exists(jar)) {
            throw new AssertionError("no such jar: " + jar.toAbsolutePath()
                    + " (mvn -DskipTests package makes it)");
        }
        return jar;
    }

    /** The {@code java} that servers run on. */
    public static String java() {
        return System.getProperty("m0.java", System.getProperty("java.home") + "/bin/java");
    }

    /** Waits for the listening line and reads the address and the port from it. */
    public void awaitListening(Duration bound) {
        await("the listening line", bound,
                () -> LISTENING.matcher(stderr()).find() || !process.isAlive());
        Matcher line = LISTENING.matcher(stderr());
        if (!line.find()) {
            throw new AssertionError("the server ended with " + process.exitValue()
                    + " before it listened");
        }
        address = line.group(1);
        port = Integer.parseInt(line.group(2));
    }

    /** The bound port; known once the server listens. */
    public int port() {
        if (port == 0) {
            throw new AssertionError("this server was not awaited: its port is not known");
        }
        return port;
    }

    /** The address as the listening line names it. */
    public String address() {
        return address;
    }

    /** The listening line, or the empty string before it was written. */
    public String listeningLine() {
        Matcher line = LISTENING.matcher(stderr());
        return line.find() ? line.group() : "";
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM to the process alone. */
    public void term() {
        signal("TERM");
    }

    /** Sends a signal by name ({@code TERM}, {@code INT}, {@code KILL}) to the process alone. */
    public void signal(String name) {
        kill(name, Long.toString(pid()));
    }

    /** Sends a signal to the whole process group, as a terminal's Ctrl-C does. */
    public void signalGroup(String name) {
        kill(name, "-" + pid());
    }

    /**
     * Lets the process stand still, with all its threads, while {@code meanwhile} runs: the kernel
     * goes on taking connections, bytes and signals for it, and it finds them all at once.
     */
    public ServerProcess whileSuspended(Runnable meanwhile) {
        suspend(pid());
        try {
            meanwhile.run();
        } finally {
            signal("CONT");
        }
        return this;
    }

    /**
     * Stops a process, and waits until the last of its threads has stopped: the signal reaches one
     * of them, and the others run until that one has come by.
     */
    public static void suspend(long process) {
        signalOther(process, "STOP");
        Path threads = Path.of("/proc", Long.toString(process), "task");
        await("all threads of " + process + " to stop", RawClient.WAIT, () -> isStopped(threads));
    }

    private static boolean isStopped(Path threads) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
            for (Path thread : all) {
                if (!text(thread.resolve("status")).contains("State:\tT")) {
                    return false;
                }
            }
            return true;
        } catch (IOException ended) {
            // Of a thread that ends while it is looked at, the kernel says several things.
            return false;
        }
    }

    /** Sends a signal to one of the processes that the server has started. */
    public static void signalOther(long other, String name) {
        kill(name, Long.toString(other));
    }

    /** Waits for the end of the process and returns its exit code. */
    public int awaitExit(Duration bound) {
        try {
            if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the server still ran after " + bound.toMillis() + " ms");
            }
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
        return process.exitValue();
    }

    /** The exit code of a process that has ended; 128 + N when signal N ended it. */
    public int exitCode() {
        return process.exitValue();
    }

    /** What the server has written to stdout so far. */
    public String stdout() {
        return text(out);
    }

    /** What the server has written to stderr so far. */
    public String stderr() {
        return text(err);
    }

    /** Waits until stderr contains {@code words}. */
    public void awaitStderr(String words, Duration bound) {
        await("\"" + words + "\" on stderr", bound, () -> stderr().contains(words));
    }

    /** Waits until stdout contains {@code words}. */
    public void awaitStdout(String words, Duration bound) {
        await("\"" + words + "\" on stdout", bound, () -> stdout().contains(words));
    }

    /**
     * How many lines of stderr contain {@code words}. The host writes them with a thread of their own,
     * so a line may come behind the answer it belongs to: it is given time until none has come for a
     * while.
     */
    public int stderrLinesWith(String words) {
        return linesWith(words, settledStderr());
    }

    /**
     * Waits until so many lines of stderr contain {@code words}, and fails where more do. What the
     * host says of several answers comes from a thread that may rest for longer between two lines
     * than {@link #stderrLinesWith} waits.
     */
    public void expectStderrLines(int count, String words, Duration bound) {
        await(count + " lines with \"" + words + "\" on stderr", bound,
                () -> linesWith(words, stderr()) >= count);
        int found = stderrLinesWith(words);
        if (found != count) {
            throw new AssertionError("expected " + count + " lines with \"" + words
                    + "\" on stderr and not " + found);
        }
    }

    private static int linesWith(String words, String text) {
        int count = 0;
        for (String line : text.split("\n")) {
            if (line.contains(words)) {
                count++;
            }
        }
        return count;
    }

    private String settledStderr() {
        String before = stderr();
        for (int look = 0; look < SETTLING_LOOKS_MAX && process.isAlive(); look++) {
            pause(SETTLING_MS);
            String now = stderr();
            if (now.equals(before)) {
                break;
            }
            before = now;
        }
        return stderr();
    }

    /** Waits until {@code condition} holds, looking every few milliseconds. */
    public static void await(String what, Duration bound, BooleanSupplier condition) {
        long untilNs = System.nanoTime() + bound.toNanos();
        for (int looks = 1; !condition.getAsBoolean(); looks++) {
            if (System.nanoTime() - untilNs > 0) {
                throw new AssertionError(what + " did not come within " + bound.toMillis() + " ms");
            }
            // Seldomer behind a second: whoever asks the server has a thousand requests for all.
            pause(looks < 200 ? 5 : 100);
        }
    }

    /** Sleeps; an interrupt fails the gate. */
    public static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    /** User and system time of all threads so far. The kernel counts in hundredths. */
    public double cpuSeconds() {
        String[] fields = statFields(pid());
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
    }

    /**
     * CPU seconds in a while in which it has nothing to do, the least of some: on a busy machine a
     * JVM goes on compiling what it has done long after it was done. What spins does so each time.
     */
    public double quietCpuSeconds(long ms, double enough) {
        return Rounds.least(enough, () -> {
            double before = cpuSeconds();
            pause(ms);
            return cpuSeconds() - before;
        });
    }

    /** Resident memory. */
    public long residentBytes() {
        for (String line : text(proc("status")).split("\n")) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        throw new AssertionError("no VmRSS for process " + pid());
    }

    /** How many times the process has called write or writev, on a socket or elsewhere. */
    public long writeCalls() {
        for (String line : text(proc("io")).split("\n")) {
            if (line.startsWith("syscw:")) {
                return Long.parseLong(line.substring(6).trim());
            }
        }
        throw new AssertionError("no syscw for process " + pid());
    }

    /** What each open descriptor leads to: a path, {@code socket:[…]}, {@code pipe:[…]}. */
    public List<String> openDescriptors() {
        return openDescriptors(pid());
    }

    /** The same of a process that it has started. */
    public static List<String> openDescriptors(long pid) {
        List<String> targets = new ArrayList<>();
        try (DirectoryStream<Path> links =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path link : links) {
                try {
                    targets.add(Files.readSymbolicLink(link).toString());
                } catch (NoSuchFileException closedMeanwhile) {
                    continue;
                }
            }
        } catch (IOException failure) {
            throw new AssertionError("descriptors of process " + pid + ": " + failure, failure);
        }
        return targets;
    }

    /** How many of the open descriptors are sockets. */
    public int openSockets() {
        int count = 0;
        for (String target : openDescriptors()) {
            if (target.startsWith("socket:")) {
                count++;
            }
        }
        return count;
    }

    /** How many TCP connections on the bound port the server holds, the backlog not counted. */
    public int connections() {
        String portHex = String.format(":%04X", port());
        int count = 0;
        for (String[] fields : sockets()) {
            if (fields[1].endsWith(portHex) && !fields[3].equals(LISTEN)) {
                count++;
            }
        }
        return count;
    }

    /**
     * The port that the server has bound, before it says so: 0 as long as it has bound none, or has
     * ended. A port that was free a moment ago may be anybody's by now.
     */
    public int boundPort() {
        try {
            for (String[] fields : sockets()) {
                if (fields[3].equals(LISTEN)) {
                    String port = fields[1].substring(fields[1].lastIndexOf(':') + 1);
                    return Integer.parseInt(port, 16);
                }
            }
        } catch (AssertionError noDescriptors) {
            // It is about to end, or this is a failure of that.
            awaitExit(KILL_BOUND);
        }
        return 0;
    }

    /** The lines of the kernel's tables of TCP whose sockets the server holds. */
    private List<String[]> sockets() {
        List<String> held = openDescriptors();
        List<String[]> lines = new ArrayList<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            for (String line : text(proc(table)).split("\n")) {
                String[] fields = line.trim().split("\\s+");
                if (fields.length > 9 && held.contains("socket:[" + fields[9] + "]")) {
                    lines.add(fields);
                }
            }
        }
        return lines;
    }

    /** The processes of this server's group that are alive, the server itself included. */
    public List<Long> group() {
        List<Long> members = new ArrayList<>();
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path entry : entries) {
                long candidate = Long.parseLong(entry.getFileName().toString());
                String[] fields = statFields(candidate);
                boolean alive = fields.length > 2 && !fields[0].equals("Z");
                if (alive && Long.parseLong(fields[2]) == pid()) {
                    members.add(candidate);
                }
            }
        } catch (IOException failure) {
            throw new AssertionError("the process table: " + failure, failure);
        }
        return members;
    }

    /** The processes that the server has started and that are alive, by age. */
    public List<Long> workers() {
        return group().stream().filter(member -> member != pid()).sorted().toList();
    }

    /** Waits until nobody of the group is left. */
    public void awaitNobodyLeft(Duration bound) {
        await("the end of everybody in the server's group", bound, () -> group().isEmpty());
    }

    /** The value of a variable in the environment of a process of the group, or null. */
    public static String variable(long process, String name) {
        for (String entry : text(Path.of("/proc", Long.toString(process), "environ"))
                .split("\0")) {
            if (entry.startsWith(name + "=")) {
                return entry.substring(name.length() + 1);
            }
        }
        return null;
    }

    /** Kills the whole group. The logs stay. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (process.isAlive() || !group().isEmpty()) {
            kill("KILL", "-" + pid());
            awaitExit(KILL_BOUND);
            awaitNobodyLeft(KILL_BOUND);
        }
        deleteTemporary();
    }

    private void deleteTemporary() {
        try (Stream<Path> left = Files.walk(temporary)) {
            for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException failure) {
            throw new AssertionError("left behind: " + temporary, failure);
        }
    }

    /** What the server has put into its directory for temporary files. */
    public List<String> temporaryFiles() {
        try (Stream<Path> left = Files.walk(temporary)) {
            return left.map(temporary::relativize).map(Path::toString)
                    .filter(name -> !name.isEmpty()).sorted().toList();
        } catch (IOException failure) {
            throw new AssertionError("cannot look into " + temporary, failure);
        }
    }

    boolean isClosed() {
        return closed;
    }

    Path loads() {
        return loads;
    }

    /** Command and logs, for the message of a gate that failed. */
    String quote() {
        String state = process.isAlive() ? "running" : "ended with " + process.exitValue();
        return "---- server " + pid() + ", " + state + ": " + String.join(" ", command)
                + "\n---- its stderr\n" + lastLines(stderr())
                + "---- its stdout\n" + lastLines(stdout());
    }

    private static String lastLines(String text) {
        String[] lines = text.split("\n");
        int first = Math.max(0, lines.length - QUOTED_LINES_MAX);
        StringBuilder quoted = new StringBuilder();
        if (first > 0) {
            quoted.append("(").append(first).append(" lines before)\n");
        }
        for (int index = first; index < lines.length; index++) {
            if (!lines[index].isEmpty()) {
                quoted.append(lines[index]).append('\n');
            }
        }
        return quoted.toString();
    }

    private Path proc(String name) {
        return Path.of("/proc", Long.toString(pid()), name);
    }

    /** The fields of {@code /proc/PID/stat} from the state on; none without such a process. */
    private static String[] statFields(long pid) {
        String stat = text(Path.of("/proc", Long.toString(pid), "stat"));
        // The second field is the command in parentheses and may hold blanks of its own.
        int behindCommand = stat.lastIndexOf(')') + 2;
        return stat.length() <= behindCommand
                ? new String[0]
                : stat.substring(behindCommand).trim().split(" ");
    }

    /** A file as text, empty when there is none: a process may end between two looks. */
    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }

    private static void kill(String signal, String target) {
        try {
            Process kill = new ProcessBuilder("sh", "-c",
                    "kill -s \"$1\" -- \"$2\" 2>/dev/null || true", "sh", signal, target)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(30, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
                throw new AssertionError("kill -s " + signal + " did not return");
            }
        } catch (IOException failure) {
            throw new AssertionError("kill -s " + signal + ": " + failure, failure);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private static AssertionError interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new AssertionError("the gate was interrupted", cause);
    }
}
