package m0.host;

import java.nio.file.FileSystemException;
import java.util.List;
import m0.telemetry.HostLog;

/** What one line says of a throwable. */
final class Failure {
    private Failure() {
    }

    /**
     * Of what an application threw as it was made: the message where it refuses, else the class too.
     */
    static String thrown(Throwable thrown) {
        return isRefusal(thrown) ? line(thrown) : Printable.text(HostLog.describe(thrown));
    }

    /** The lines below: causes are always told, and where it is no refusal the stack is. */
    static List<String> below(Throwable thrown) {
        return HostLog.below(thrown, Failure::isRefusal);
    }

    /**
     * Whether an application threw it to refuse, so that its message says everything: an
     * {@code IllegalStateException} or {@code IllegalArgumentException} with a message, which is
     * neither of a subclass nor thrown inside the JDK.
     */
    static boolean isRefusal(Throwable thrown) {
        boolean deliberate = thrown.getClass() == IllegalStateException.class
                || thrown.getClass() == IllegalArgumentException.class;
        return deliberate && !says(thrown).isEmpty() && !isOfTheJdk(thrown.getStackTrace());
    }

    private static String says(Throwable thrown) {
        return thrown.getMessage() == null ? "" : thrown.getMessage();
    }

    private static boolean isOfTheJdk(StackTraceElement[] stack) {
        return stack.length > 0 && stack[0].getClassName().startsWith("java.");
    }

    /**
     * The message, or the type's name where there is none; both where it is no {@code Exception}, or
     * one of a file's, whose message may be the path alone.
     */
    static String line(Throwable failure) {
        String message = says(failure);
        if (message.isEmpty()) {
            return failure.getClass().getName();
        }
        boolean says = failure instanceof Exception && !(failure instanceof FileSystemException);
        return says ? Printable.text(message)
                : failure.getClass().getName() + ": " + Printable.text(message);
    }
}
