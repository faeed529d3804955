package m0.host;

import java.util.List;

/** A start that cannot be: what to say, and the exit code. It never leaves this package. */
final class StartRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final int exit;

    StartRefusedException(String finding, int exit, Throwable cause) {
        super(finding, cause);
        this.exit = exit;
    }

    int exit() {
        return exit;
    }

    /** What stands below what is said: where the application failed, and why. */
    List<String> below() {
        if (exit != ExitCode.REFUSED || getCause() == null) {
            return List.of();
        }
        try {
            return Failure.below(getCause());
        } catch (RuntimeException | StackOverflowError unreadable) {
            // The application's exception class is broken too, and the line has its name.
            return List.of();
        }
    }
}
