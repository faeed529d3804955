package m0.host;

/**
 * One judged question of a start.
 *
 * @param name its name in the doctor's list
 * @param detail what was looked at, or the finding of a refusal
 * @param fix what to do, naming flag and variable; empty where it holds
 * @param exit the exit code of a refusal; {@link ExitCode#SERVED} where it holds
 */
public record Check(String name, String detail, String fix, int exit) {
    /** It holds; what was looked at. */
    public static Check holds(String name, String detail) {
        return new Check(name, detail, "", ExitCode.SERVED);
    }

    /** It does not, which is exit code 78. */
    public static Check refuses(String name, String finding, String fix) {
        return new Check(name, finding, fix, ExitCode.REFUSED);
    }

    /** A refusal as a line says it. */
    String line() {
        return detail + " (" + fix + ")";
    }

    public boolean ok() {
        return exit == ExitCode.SERVED;
    }
}
