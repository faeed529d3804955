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

    /**
     * The lines below: causes are always told, and where it is no refusal stacks are. One that only
     * repeats its cause, as where a mount is named, is what that is.
     */
    static List<String> below(Throwable thrown) {
        Throwable cause = thrown.getCause();
        if (!isRefusal(thrown)) {
            return HostLog.below(thrown);
        }
        if (cause == null || !thrown.getMessage().endsWith(repeated(cause))) {
            return HostLog.causes(thrown, false);
        }
        return isRefusal(cause) ? HostLog.causes(cause, false) : HostLog.causes(thrown, true);
    }

    /** What whoever names a mount, or any wrapper, repeats of it. */
    private static String repeated(Throwable cause) {
        String message = says(cause);
        return message.isEmpty() ? cause.getClass().getName() : message;
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
        String module = stack.length > 0 ? stack[0].getModuleName() : null;
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
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
