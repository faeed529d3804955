package m0.host;

/**
 * How many of what a start would run.
 *
 * @param mode {@code single}, {@code threads} or {@code prefork}
 * @param loops loops, in this process or one in each worker
 * @param handlerThreads pool threads behind all of them together, or {@link SettingValue#VIRTUAL}
 */
record Topology(String mode, long loops, long handlerThreads) {
    /** @param lanes how many stand behind each loop where there are pool threads */
    static Topology of(Settings settings, int lanes) {
        long workers = Math.max(1, settings.number(Setting.WORKERS));
        long threads = Math.max(1, settings.number(Setting.THREADS));
        long pool = settings.number(Setting.BLOCKING_THREADS);
        if (workers > 1) {
            return new Topology("prefork", workers, together(workers * lanes, pool));
        }
        return new Topology(threads > 1 ? "threads" : "single", threads, together(threads * lanes, pool));
    }

    private static long together(long lanes, long pool) {
        return pool == SettingValue.VIRTUAL ? pool : lanes * pool;
    }

    boolean isVirtual() {
        return handlerThreads == SettingValue.VIRTUAL;
    }

    /** The pool threads as a line has them: a number, or {@code virtual}. */
    String pool() {
        return isVirtual() ? SettingValue.VIRTUAL_TEXT : Long.toString(handlerThreads);
    }
}
