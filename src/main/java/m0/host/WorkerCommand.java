package m0.host;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a worker is started: by the words this process was itself started with, so that java, its
 * options and properties, jar or class path, main class and arguments are the same, whoever wrote
 * that {@code main}.
 *
 * <p>Where Linux says them: the JDK's own answer is cut at a page, and a class path can be longer.
 * What came by {@code JDK_JAVA_OPTIONS} and its like is not among the words and comes again by the
 * environment.
 *
 * <p>Threads: any; it is immutable.
 */
final class WorkerCommand {
    private static final Path WORDS = Path.of("/proc/self/cmdline");
    private static final Path PROGRAM = Path.of("/proc/self/exe");

    private final List<String> words;

    private WorkerCommand(List<String> words) {
        this.words = words;
    }

    /** The words of this process. */
    static WorkerCommand ofThisProcess() throws IOException {
        if (Files.isReadable(WORDS)) {
            String all = new String(Files.readAllBytes(WORDS), Charset.forName(
                    System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name())));
            return of(Files.readSymbolicLink(PROGRAM).toString(), all);
        }
        ProcessHandle.Info info = ProcessHandle.current().info();
        List<String> words = new ArrayList<>();
        words.add(info.command().orElseThrow(WorkerCommand::untold));
        words.addAll(List.of(info.arguments().orElseThrow(WorkerCommand::untold)));
        return new WorkerCommand(List.copyOf(words));
    }

    private static IOException untold() {
        return new IOException("this system does not say how this process was started");
    }

    /** @param all the words with a zero byte behind each, the first being a name for the program */
    static WorkerCommand of(String program, String all) {
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int end = all.indexOf('\0'); end >= 0; end = all.indexOf('\0', from)) {
            words.add(from == 0 ? program : all.substring(from, end));
            from = end + 1;
        }
        return new WorkerCommand(List.copyOf(words));
    }

    List<String> words() {
        return words;
    }

    /** Starts worker {@code worker} with those streams. */
    Process start(int worker, Path directory, Redirect in, Redirect out, Redirect err)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put(WorkerSeat.WORKER, Integer.toString(worker));
        builder.environment().put(WorkerSeat.DIRECTORY, directory.toString());
        return builder.redirectInput(in).redirectOutput(out).redirectError(err).start();
    }
}
