package m0.host;

/**
 * One judged question of a start.
 *
 * @param name its name in the doctor's list
 * @param detail what was looked at, or the finding of a refusal
 * @param fix what to do, naming flag and variable; empty where it holds
 * @param exit the exit code of a refusal; {@link ExitCode#SERVED} where it holds
 */
record Check(String name, String detail, String fix, int exit) {
    static Check holds(String name, String detail) {
        return new Check(name, detail, "", ExitCode.SERVED);
    }

    static Check refuses(String name, String finding, String fix) {
        return new Check(name, finding, fix, ExitCode.REFUSED);
    }

    boolean ok() {
        return exit == ExitCode.SERVED;
    }
}
