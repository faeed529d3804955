package operate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kit.ServerProcess;

/** One way to start the jar, which can be run both ways: served, and with {@code --doctor}. */
final class Configuration {
    private static final Duration BOUND = Duration.ofSeconds(40);

    private final Map<String, String> variables = new LinkedHashMap<>();
    private final List<String> args;

    private Configuration(String... args) {
        this.args = List.of(args);
    }

    static Configuration args(String... args) {
        return new Configuration(args);
    }

    Configuration set(String variable, String value) {
        variables.put(variable, value);
        return this;
    }

    private ServerProcess.Plan plan(String... more) {
        ServerProcess.Plan plan = ServerProcess.bare();
        variables.forEach(plan::set);
        return plan.args(args.toArray(new String[0])).args(more);
    }

    /** Starts it and waits for its end, for what is expected to end by itself. */
    Result serve() {
        return result(plan().launch());
    }

    /** Asks the doctor. */
    Result doctor() {
        return result(plan("--doctor").launch());
    }

    /** Starts it for real and leaves it running. */
    ServerProcess start() {
        return plan().start();
    }

    private static Result result(ServerProcess process) {
        try (process) {
            int exit = process.awaitExit(BOUND);
            return new Result(exit, process.stdout(), process.stderr());
        }
    }

    @Override
    public String toString() {
        return variables + " " + args;
    }

    /** How a run ended and what it said. */
    record Result(int exit, String stdout, String stderr) {
        /** The last line of stdout as the doctor's object. */
        Map<String, Object> report() {
            List<String> lines = new ArrayList<>(stdout.lines().toList());
            if (lines.isEmpty()) {
                throw new AssertionError("the doctor said nothing on stdout; stderr: " + stderr);
            }
            return JsonText.object(lines.get(lines.size() - 1));
        }
    }
}
