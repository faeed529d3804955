package m0.host;

import java.nio.file.FileSystemException;

/** What one line says of a throwable. */
final class Failure {
    private Failure() {
    }

    /**
     * The message, or the type's name where there is none; both where it is no {@code Exception}, or
     * one of a file's, whose message may be the path alone.
     */
    static String line(Throwable failure) {
        String message = failure.getMessage();
        if (message == null || message.isEmpty()) {
            return failure.getClass().getName();
        }
        boolean says = failure instanceof Exception && !(failure instanceof FileSystemException);
        return says ? Printable.text(message)
                : failure.getClass().getName() + ": " + Printable.text(message);
    }
}
