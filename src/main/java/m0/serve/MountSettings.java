package m0.serve;

import java.util.ArrayList;
import java.util.List;
import m0.app.App;
import m0.host.Applications;
import m0.host.Check;
import m0.host.Setting;
import m0.host.Settings;

/**
 * Reads {@code M0_MOUNT}: {@code /x=NAME}, a comma list.
 *
 * <p>Threads: any. Errors: the first thing that is wrong with the list, naming mount, class or prefix.
 */
final class MountSettings {
    /**
     * @param mounts those that could be read
     * @param check the check of that name
     */
    record Judged(Mounts mounts, Check check) { }

    /** Says what is wrong with one mount; it never leaves this class. */
    private static final class Unfit extends Exception {
        private static final long serialVersionUID = 1;

        Unfit(String finding) {
            super(finding);
        }
    }

    private final Settings settings;
    private final ClassLoader loader;
    private final List<Mount> mounts = new ArrayList<>();

    private MountSettings(Settings settings, ClassLoader loader) {
        this.settings = settings;
        this.loader = loader;
    }

    static Judged judge(Settings settings, ClassLoader loader) {
        String list = settings.text(Setting.MOUNT);
        MountSettings read = new MountSettings(settings, loader);
        try {
            if (list != null && !list.isEmpty()) {
                for (String item : list.split(",", -1)) {
                    read.add(item);
                }
            }
        } catch (Unfit unfit) {
            return new Judged(new Mounts(read.mounts), Check.refuses("mounts",
                    settings.assignment(Setting.MOUNT) + ": " + unfit.getMessage(),
                    Settings.fix(Setting.MOUNT, "/x=NAME, comma list, NAME being "
                            + Applications.WANTED)));
        }
        return new Judged(new Mounts(read.mounts), Check.holds("mounts", read.mounts.isEmpty()
                ? "none" : read.mounts.toString().replaceAll("[\\[\\] ]", "")));
    }

    private void add(String item) throws Unfit {
        int equals = item.indexOf('=');
        if (equals < 0) {
            throw new Unfit("mount " + shown(item) + " is not /x=NAME");
        }
        String prefix = item.substring(0, equals);
        checkPrefix(prefix);
        Applications.Found<App> found =
                Applications.find(item.substring(equals + 1), App.class, loader);
        String mount = prefix + "=" + found.name();
        if (found.made() == null) {
            throw new Unfit("mount " + mount + ": " + found.finding());
        }
        checkLimits(mount, found.made());
        mounts.add(new Mount(prefix, found.name(), found.made()));
    }

    /** What a client can send without escapes: segments, and no slash at the end. */
    private void checkPrefix(String prefix) throws Unfit {
        if (!prefix.matches("(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")) {
            throw new Unfit("prefix " + shown(prefix) + " is not a slash and a segment of letters,"
                    + " digits, -, _, ~ and ., or several of them");
        }
        for (Mount before : mounts) {
            if (before.prefix().equals(prefix)) {
                throw new Unfit("prefix " + prefix + " is given twice");
            }
        }
    }

    private void checkLimits(String mount, App app) throws Unfit {
        if (!app.poolAllowed()) {
            throw new Unfit("mount " + mount
                    + " keeps its state in one handler, and a mount has a lane");
        }
        if (app.maxThreads() > 0 && settings.number(Setting.THREADS) > app.maxThreads()) {
            throw new Unfit("mount " + mount + " allows " + app.maxThreads() + " loops, and "
                    + settings.assignment(Setting.THREADS) + " are more");
        }
    }

    private static String shown(String text) {
        return text.isEmpty() ? "\"\"" : text.replaceAll("\\p{Cntrl}", "?");
    }
}
