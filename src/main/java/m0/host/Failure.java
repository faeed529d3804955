package m0.host;

/** What one line says of a throwable. */
final class Failure {
    private Failure() {
    }

    /** The message, or the type's name where there is none; both where it is no {@code Exception}. */
    static String line(Throwable failure) {
        String message = failure.getMessage();
        if (message == null || message.isEmpty()) {
            return failure.getClass().getName();
        }
        return failure instanceof Exception ? Printable.text(message)
                : failure.getClass().getName() + ": " + Printable.text(message);
    }
}
