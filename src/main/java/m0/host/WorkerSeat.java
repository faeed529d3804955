package m0.host;

import java.nio.file.InvalidPathException;
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
        if (worker != null && !SettingValue.isWithin(worker, 0, Setting.WORKERS.max() - 1)) {
            return refusal(WORKER, worker, "no worker's index");
        }
        String directory = environment.value(DIRECTORY);
        if (directory != null && !isPath(directory)) {
            return refusal(DIRECTORY, directory, "no path");
        }
        return null;
    }

    private static Check refusal(String variable, String value, String finding) {
        return Check.refuses("variables", variable + "=" + Printable.text(value) + " is " + finding,
                "unset " + WORKER + " and " + DIRECTORY
                        + ", which a supervisor sets for its workers");
    }

    /** Not every text is one where the locale has no letters but ASCII's. */
    private static boolean isPath(String text) {
        try {
            Path.of(text);
            return true;
        } catch (InvalidPathException unfit) {
            return false;
        }
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
