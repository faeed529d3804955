package m0.host;

import java.nio.file.Path;

/**
 * That this process is a worker, which one, and where it meets its supervisor.
 *
 * <p>Threads: any; it is immutable.
 */
record WorkerSeat(int worker, Path directory) {
    /** The index of a worker, in its environment. */
    static final String WORKER = "M0_INTERNAL_WORKER";
    /** The directory that it shares with its supervisor. */
    static final String DIRECTORY = "M0_INTERNAL_DIRECTORY";

    /** Why that environment is refused, or null: no supervisor has set what it says of a worker. */
    static Check refusal(Environment environment) {
        String worker = environment.value(WORKER);
        return worker == null || SettingValue.isWithin(worker, 0, Setting.WORKERS.max() - 1) ? null
                : Check.refuses("variables", WORKER + "=" + Printable.text(worker)
                        + " is no worker's index", "unset " + WORKER + " and " + DIRECTORY
                        + ", which a supervisor sets for its workers");
    }

    /** What that environment, which is not refused, says; null where it is not a worker's. */
    static WorkerSeat of(Environment environment) {
        String worker = environment.value(WORKER);
        String directory = environment.value(DIRECTORY);
        return worker == null || directory == null ? null
                : new WorkerSeat(Integer.parseInt(worker), Path.of(directory));
    }

    /** Where supervisor and workers talk. */
    static Path control(Path directory) {
        return directory.resolve("control");
    }
}
