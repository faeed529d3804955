package m0.host;

import java.util.Map;
import m0.app.App;

/**
 * The host itself: one application, named by the settings or brought by the program.
 *
 * <p>Threads: the one that starts.
 */
final class OneApplication implements HostProgram {
    private static final Setting[] MOUNTING = {Setting.MOUNT, Setting.MOUNT_LOOP};

    /** Null where the settings name it. */
    private final App brought;
    private final ClassLoader loader;

    private OneApplication(App brought, ClassLoader loader) {
        this.brought = brought;
        this.loader = loader;
    }

    /** The application that {@code M0_APP} names. */
    static OneApplication named(ClassLoader loader) {
        return new OneApplication(null, loader);
    }

    /** The application of a program that brings its own; {@code M0_APP} may not name another. */
    static OneApplication given(App app) {
        return new OneApplication(app, null);
    }

    @Override
    public String command() {
        return "";
    }

    @Override
    public Map<Setting, String> defaults() {
        return brought == null ? Map.of() : Map.of(Setting.APP, brought.getClass().getName());
    }

    @Override
    public Selection select(Settings settings, String command) {
        Check mounts = mounts(settings, command);
        return brought == null ? named(settings, mounts) : given(settings, mounts);
    }

    private Selection given(Settings settings, Check mounts) {
        String name = brought.getClass().getName();
        Check fits = Check.holds("application", name);
        if (settings.source(Setting.APP) != Settings.Source.DEFAULT) {
            fits = Check.refuses("application", "this program serves its own application " + name
                    + ", not " + settings.assignment(Setting.APP),
                    "unset " + Setting.APP.variable() + " and " + Setting.APP.flag());
        }
        return Selection.of(name, Service.alone(brought), fits, mounts);
    }

    private Selection named(Settings settings, Check mounts) {
        Applications.Found<App> found =
                Applications.find(settings.text(Setting.APP), App.class, loader);
        if (found.made() == null) {
            return Selection.of(found.name(), null, Check.refuses("application",
                    settings.assignment(Setting.APP) + ": " + found.finding(),
                    Settings.fix(Setting.APP, Applications.WANTED)), mounts);
        }
        return Selection.of(found.name(), Service.alone(found.made()), mounts);
    }

    private static Check mounts(Settings settings, String command) {
        if (!command.isEmpty()) {
            return Check.refuses("mounts", "the subcommand " + command
                    + (command.equals("serve") ? " is another program's, java -jar host.jar serve"
                            : " is not served yet"), "start without a subcommand");
        }
        return noMounts(settings);
    }

    /** The mounting host is another program of the same jar; its settings mean nothing here. */
    static Check noMounts(Settings settings) {
        for (Setting setting : MOUNTING) {
            if (settings.source(setting) != Settings.Source.DEFAULT) {
                return Check.refuses("mounts",
                        settings.assignment(setting) + " is for the subcommand serve alone",
                        "unset " + setting.variable() + " and " + setting.flag());
            }
        }
        return Check.holds("mounts", "none");
    }
}
