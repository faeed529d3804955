package kind;

import java.io.IOException;

/** Runs one kind of bench. Started by {@code bench/run}, which builds and pins. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) throws IOException {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            fail(e.getMessage());
            return;
        }
        switch (options.kind()) {
            case "cpu", "syscalls", "allocation", "first-answer", "idle" -> run(options);
            default -> fail("no kind named '" + options.kind() + "'");
        }
    }

    private static void run(Options options) throws IOException {
        try (Stage stage = Stage.set(options)) {
            switch (options.kind()) {
                case "cpu" -> new CpuBench(stage).run();
                case "syscalls" -> new SyscallsBench(stage).run();
                case "allocation" -> new AllocationBench(stage).run();
                case "first-answer" -> new FirstAnswerBench(stage).run();
                default -> new IdleBench(stage).run();
            }
        }
    }

    private static void fail(String finding) {
        System.err.println("bench: " + finding + System.lineSeparator() + Options.USAGE);
        System.exit(2);
    }
}
