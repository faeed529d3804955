package m0.host;

/** What a host's process ends with. */
final class ExitCode {
    /** Served and drained, or only asked for help or the doctor. */
    static final int SERVED = 0;
    /** Something failed that a restart may mend: the bind, a loop, a drain past its bound. */
    static final int FAILED = 1;
    /** The command line could not be read. */
    static final int UNREADABLE = 2;
    /** Refused: what was configured is not served. EX_CONFIG of sysexits(3). */
    static final int REFUSED = 78;

    private ExitCode() {
    }
}
