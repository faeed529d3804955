package m0.host;

/**
 * How many of what a start would run.
 *
 * @param mode {@code single}, {@code threads} or {@code prefork}
 * @param loops loops, in this process or one in each worker
 * @param handlerThreads pool threads behind all of them together
 */
record Topology(String mode, long loops, long handlerThreads) {
    static Topology of(Settings settings) {
        long workers = Math.max(1, settings.number(Setting.WORKERS));
        long threads = Math.max(1, settings.number(Setting.THREADS));
        long pool = Math.max(0, settings.number(Setting.BLOCKING_THREADS));
        if (workers > 1) {
            return new Topology("prefork", workers, workers * pool);
        }
        return new Topology(threads > 1 ? "threads" : "single", threads, threads * pool);
    }
}
