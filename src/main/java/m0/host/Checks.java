package m0.host;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import m0.app.App;

/**
 * The questions a start must answer, in the order in which the first failure refuses it. All are
 * evaluated, so that the doctor can show each; none binds or makes anything.
 *
 * <p>Threads: any.
 */
final class Checks {
    /** Pool threads behind all loops: what Linux gives a process with its usual limits. */
    private static final int POOL_THREADS_MAX = 16_384;
    private static final int JDK_WITH_VIRTUAL_THREADS = 21;
    /** What is served wherever {@code virtual} is not. */
    private static final String COUNTED =
            Setting.BLOCKING_THREADS.min() + ".." + Setting.BLOCKING_THREADS.max();
    private static final String COUNTED_LANE = "1.." + Setting.BLOCKING_THREADS.max();

    private final Settings settings;
    private final Environment environment;
    private final Selection selection;
    private final Surroundings surroundings;

    private Checks(Settings settings, Environment environment, Selection selection,
            Surroundings surroundings) {
        this.settings = settings;
        this.environment = environment;
        this.selection = selection;
        this.surroundings = surroundings;
    }

    static List<Check> evaluate(Settings settings, Environment environment, Selection selection,
            Surroundings surroundings) {
        Checks checks = new Checks(settings, environment, selection, surroundings);
        List<Check> all = new ArrayList<>(11);
        all.add(checks.port());
        all.add(checks.address());
        all.add(checks.application());
        all.add(selection.mounts());
        all.add(checks.workersCount());
        all.add(checks.workersVersusApplication());
        all.add(checks.threadsCount());
        all.add(checks.workersVersusThreads());
        all.add(checks.threadsVersusApplication());
        all.add(checks.blockingThreads());
        all.add(checks.variables());
        return all;
    }

    /** The check that refuses the start, or null. */
    static Check firstFailure(List<Check> checks) {
        for (Check check : checks) {
            if (!check.ok()) {
                return check;
            }
        }
        return null;
    }

    private Check port() {
        Check unread = unreadable("port", Setting.PORT);
        if (unread != null) {
            return unread;
        }
        long port = settings.number(Setting.PORT);
        if (port < Setting.PORT.min() || port > Setting.PORT.max()) {
            return Check.refuses("port", settings.assignment(Setting.PORT) + " is not in "
                    + Setting.PORT.range(), Settings.fix(Setting.PORT, Setting.PORT.range()));
        }
        Check unserved = surroundings.unservedSocket(environment);
        if (unserved != null) {
            return unserved;
        }
        InetSocketAddress given = surroundings.givenAddress();
        return given == null ? Check.holds("port", Long.toString(port))
                : inherited("port", Integer.toString(given.getPort()), Setting.PORT);
    }

    private Check address() {
        String text = settings.text(Setting.HOST);
        if (ListenAddress.read(text) == null) {
            return Check.refuses("address",
                    settings.assignment(Setting.HOST) + " is no address to listen on",
                    Settings.fix(Setting.HOST, "an IPv4 address, [::1] or the like, localhost,"
                            + " or :: for both families"));
        }
        InetSocketAddress given = surroundings.givenAddress();
        return given == null ? Check.holds("address", text)
                : inherited("address", given.getAddress().getHostAddress(), Setting.HOST);
    }

    /** The listening socket on descriptor 0 is served as it is. */
    private static Check inherited(String name, String value, Setting setting) {
        return Check.holds(name, value + ", inherited as descriptor 0; " + setting.variable()
                + " and " + setting.flag() + " have no effect");
    }

    private Check application() {
        Check closed = selection.application().ok() ? surroundings.missingOpening() : null;
        return closed == null ? selection.application() : closed;
    }

    private Check workersCount() {
        Check count = count("workers-count", Setting.WORKERS);
        long workers = settings.number(Setting.WORKERS);
        if (!count.ok() || workers < 2 || isWorker()) {
            return count;
        }
        Check closed = surroundings.missingOpeningForWorkers();
        return closed == null ? room((int) workers) : closed;
    }

    /** A supervisor has asked all that before it started this one, and has taken the room since. */
    private boolean isWorker() {
        return WorkerSeat.refusal(environment) == null && WorkerSeat.of(environment) != null;
    }

    private Check room(int workers) {
        Surroundings.Room room = surroundings.room();
        long needed;
        try {
            needed = SharedFiles.bytes(settings, selection.service());
        } catch (RuntimeException thrown) {
            return Check.refuses("workers-count", "the application's pageSlots cannot be served: "
                    + Failure.line(thrown), "mend App.pageSlots of application "
                            + selection.name());
        }
        if (needed > room.freeBytes()) {
            return new Check("workers-count", settings.assignment(Setting.WORKERS) + " needs "
                    + kilobytes(needed) + " in " + room.parent() + ", where "
                    + kilobytes(room.freeBytes()) + " are free", "make room there, with --shm-size"
                    + " where a container's is too small, or " + Settings.fix(Setting.WORKERS,
                            "fewer"), ExitCode.FAILED);
        }
        return Check.holds("workers-count", workers + ", which share " + kilobytes(needed) + " in "
                + room.parent() + (room.freeBytes() == Surroundings.Room.UNKNOWN ? ""
                        : ", where " + kilobytes(room.freeBytes()) + " are free"));
    }

    private static String kilobytes(long bytes) {
        return bytes / 1024 + " KiB";
    }

    private Check threadsCount() {
        return count("threads-count", Setting.THREADS);
    }

    private Check count(String name, Setting setting) {
        Check unread = unreadable(name, setting);
        if (unread != null) {
            return unread;
        }
        long count = settings.number(setting);
        if (count < 1) {
            return Check.refuses(name, settings.assignment(setting) + " is less than 1",
                    Settings.fix(setting, "1"));
        }
        if (count > setting.max()) {
            return Check.refuses(name, settings.assignment(setting) + " is not in "
                    + setting.range(), Settings.fix(setting, setting.range()));
        }
        return Check.holds(name, Long.toString(count));
    }

    private Check workersVersusApplication() {
        App app = selection.app();
        return limit("workers-vs-application", Setting.WORKERS, app == null ? 0 : app.maxWorkers());
    }

    private Check threadsVersusApplication() {
        App app = selection.app();
        return limit("threads-vs-application", Setting.THREADS, app == null ? 0 : app.maxThreads());
    }

    private Check limit(String name, Setting setting, int max) {
        if (max > 0 && settings.number(setting) > max) {
            return Check.refuses(name, settings.assignment(setting) + " is more than application "
                    + selection.name() + " allows, " + max,
                    Settings.fix(setting, max == 1 ? "1" : "1.." + max));
        }
        return Check.holds(name, max > 0 ? "at most " + max : "any number");
    }

    private Check workersVersusThreads() {
        if (settings.number(Setting.WORKERS) > 1 && settings.number(Setting.THREADS) > 1) {
            return Check.refuses("workers-vs-threads", settings.assignment(Setting.WORKERS)
                    + " and " + settings.assignment(Setting.THREADS) + " exclude each other",
                    Settings.fix(Setting.WORKERS, "1") + ", or " + Setting.THREADS.variable()
                            + " or " + Setting.THREADS.flag() + " to 1");
        }
        return Check.holds("workers-vs-threads", "not both");
    }

    private Check blockingThreads() {
        Check unread = unreadable("blocking-threads", Setting.BLOCKING_THREADS);
        if (unread != null) {
            return unread;
        }
        long threads = settings.number(Setting.BLOCKING_THREADS);
        if (threads == 0 && selection.laneNeeded()) {
            return Check.refuses("blocking-threads", settings.assignment(Setting.BLOCKING_THREADS)
                    + " leaves " + selection.name() + " no thread to answer on",
                    Settings.fix(Setting.BLOCKING_THREADS, COUNTED_LANE));
        }
        if (threads == 0) {
            return noLane();
        }
        App app = selection.app();
        if (app != null && !app.poolAllowed()) {
            return Check.refuses("blocking-threads",
                    settings.assignment(Setting.BLOCKING_THREADS) + " is more than application "
                            + selection.name() + " allows, whose state lives in one handler",
                    Settings.fix(Setting.BLOCKING_THREADS, "0"));
        }
        int lanes = selection.lanes();
        long all = threads * lanes * Math.max(1, settings.number(Setting.THREADS));
        if (all > POOL_THREADS_MAX) {
            return Check.refuses("blocking-threads", settings.assignment(Setting.BLOCKING_THREADS)
                    + (lanes > 1 ? " on each of " + lanes + " lanes" : "")
                    + " behind each of " + settings.number(Setting.THREADS) + " loops are " + all
                    + " threads, more than " + POOL_THREADS_MAX,
                    Settings.fix(Setting.BLOCKING_THREADS, "fewer") + ", or lower "
                            + Setting.THREADS.variable() + " or " + Setting.THREADS.flag());
        }
        return threads == SettingValue.VIRTUAL ? virtualThreads()
                : Check.holds("blocking-threads", threads + (lanes > 1 ? " on each of " + lanes
                        + " lanes" : "") + " behind each loop");
    }

    /** Whoever bounds the wait for a lane believes that there is one. */
    private Check noLane() {
        for (Setting bound : List.of(Setting.LANE_QUEUE, Setting.LANE_DEADLINE_MS)) {
            if (settings.number(bound) > 0) {
                return Check.refuses("blocking-threads", settings.assignment(bound)
                        + " bounds the wait for a pool thread, and there is none",
                        Settings.fix(Setting.BLOCKING_THREADS, COUNTED_LANE) + ", or "
                                + bound.variable() + " or " + bound.flag() + " to 0");
            }
        }
        return Check.holds("blocking-threads", "none");
    }

    private Check virtualThreads() {
        String assignment = settings.assignment(Setting.BLOCKING_THREADS);
        String counted = selection.laneNeeded() ? COUNTED_LANE : COUNTED;
        int jdk = surroundings.jdk();
        if (jdk < JDK_WITH_VIRTUAL_THREADS) {
            return Check.refuses("blocking-threads", assignment + " is for JDK "
                    + JDK_WITH_VIRTUAL_THREADS + " and later, and this is " + jdk,
                    Settings.fix(Setting.BLOCKING_THREADS, counted + ", or run it on a later JDK"));
        }
        if (!selection.unshared().isEmpty()) {
            return Check.refuses("blocking-threads", assignment + " is for handlers that several"
                    + " threads may share, which " + selection.unshared() + "'s may not",
                    Settings.fix(Setting.BLOCKING_THREADS, counted));
        }
        return Check.holds("blocking-threads", "virtual");
    }

    /** Every other value, and the names that are no setting. */
    private Check variables() {
        for (Settings.Fault fault : settings.faults()) {
            if (!hasItsOwnCheck(fault.setting())) {
                return new Check("variables", fault.finding(), fault.fix(), fault.exit());
            }
        }
        Check noWorkers = WorkerSeat.refusal(environment);
        if (noWorkers != null) {
            return noWorkers;
        }
        Set<String> owned = selection.app() == null ? Set.of() : selection.app().settings();
        for (String name : environment.others()) {
            if (!owned.contains(name)) {
                return Check.refuses("variables", Printable.text(name) + " is no setting",
                        "unset it; --help lists the settings, application " + selection.name()
                                + " adds " + (owned.isEmpty() ? "none"
                                        : String.join(", ", new TreeSet<>(owned))));
            }
        }
        List<String> passedOver = environment.passedOver();
        return Check.holds("variables",
                passedOver.isEmpty() ? "all known" : "passed over " + String.join(", ", passedOver));
    }

    private static boolean hasItsOwnCheck(Setting setting) {
        return setting == Setting.PORT || setting == Setting.WORKERS || setting == Setting.THREADS
                || setting == Setting.BLOCKING_THREADS;
    }

    private Check unreadable(String name, Setting setting) {
        Settings.Fault fault = settings.fault(setting);
        return fault == null ? null
                : new Check(name, fault.finding(), fault.fix(), fault.exit());
    }
}
