package m0.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import m0.app.App;

/**
 * The questions a start must answer, in the order in which the first failure refuses it. All are
 * evaluated, so that the doctor can show each; none binds or makes anything.
 *
 * <p>Threads: any.
 */
final class Checks {
    private static final Setting[] MOUNTING = {Setting.MOUNT, Setting.MOUNT_LOOP};

    private final Settings settings;
    private final Environment environment;
    private final Applications.Selected application;
    private final String command;

    private Checks(Settings settings, Environment environment,
            Applications.Selected application, String command) {
        this.settings = settings;
        this.environment = environment;
        this.application = application;
        this.command = command;
    }

    static List<Check> evaluate(Settings settings, Environment environment,
            Applications.Selected application, String command) {
        Checks checks = new Checks(settings, environment, application, command);
        List<Check> all = new ArrayList<>(11);
        all.add(checks.port());
        all.add(checks.address());
        all.add(checks.application());
        all.add(checks.mounts());
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
        return Check.holds("port", Long.toString(port));
    }

    private Check address() {
        String text = settings.text(Setting.HOST);
        if (ListenAddress.read(text) == null) {
            return Check.refuses("address",
                    settings.assignment(Setting.HOST) + " is no address to listen on",
                    Settings.fix(Setting.HOST, "an IPv4 address, [::1] or the like, localhost,"
                            + " or :: for both families"));
        }
        return Check.holds("address", text);
    }

    private Check application() {
        if (!application.finding().isEmpty()) {
            return Check.refuses("application", application.finding(), application.fix());
        }
        return Check.holds("application", application.name());
    }

    /** The mounting host is another program of the same jar; its settings mean nothing here. */
    private Check mounts() {
        if (!command.isEmpty()) {
            return Check.refuses("mounts", "the subcommand " + command + " is not served yet",
                    "start without a subcommand");
        }
        for (Setting setting : MOUNTING) {
            if (settings.source(setting) != Settings.Source.DEFAULT) {
                return Check.refuses("mounts",
                        settings.assignment(setting) + " is for the subcommand serve alone",
                        "unset " + setting.variable() + " and " + setting.flag());
            }
        }
        return Check.holds("mounts", "none");
    }

    private Check workersCount() {
        return count("workers-count", Setting.WORKERS);
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
        if (count > 1) {
            return Check.refuses(name, settings.assignment(setting) + " is not served yet",
                    Settings.fix(setting, "1"));
        }
        return Check.holds(name, Long.toString(count));
    }

    private Check workersVersusApplication() {
        App app = application.app();
        return limit("workers-vs-application", Setting.WORKERS, app == null ? 0 : app.maxWorkers());
    }

    private Check threadsVersusApplication() {
        App app = application.app();
        return limit("threads-vs-application", Setting.THREADS, app == null ? 0 : app.maxThreads());
    }

    private Check limit(String name, Setting setting, int max) {
        if (max > 0 && settings.number(setting) > max) {
            return Check.refuses(name, settings.assignment(setting) + " is more than application "
                    + application.name() + " allows, " + max,
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
        if (settings.number(Setting.BLOCKING_THREADS) != 0) {
            return Check.refuses("blocking-threads",
                    settings.assignment(Setting.BLOCKING_THREADS) + " is not served yet",
                    Settings.fix(Setting.BLOCKING_THREADS, "0"));
        }
        return Check.holds("blocking-threads", "none");
    }

    /** Every other value, and the names that are no setting. */
    private Check variables() {
        for (Settings.Fault fault : settings.faults()) {
            if (!hasItsOwnCheck(fault.setting())) {
                return new Check("variables", fault.finding(), fault.fix(), fault.exit());
            }
        }
        Set<String> owned = application.app() == null ? Set.of() : application.app().settings();
        for (String name : environment.others()) {
            if (!owned.contains(name)) {
                return Check.refuses("variables", Printable.text(name) + " is no setting",
                        "unset it; --help lists the settings");
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
