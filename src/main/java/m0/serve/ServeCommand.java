package m0.serve;

import com.sun.net.httpserver.HttpHandler;
import java.util.Map;
import m0.host.Applications;
import m0.host.Check;
import m0.host.Host;
import m0.host.HostProgram;
import m0.host.Selection;
import m0.host.Setting;
import m0.host.Settings;

/**
 * The subcommand {@code serve}: a synchronous {@code HttpHandler}, beside applications that are
 * mounted under prefixes, each on a lane of its own behind every loop.
 *
 * <pre>
 * java -jar host.jar serve --app CLASS|NAME --mount /x=NAME,/y=CLASS --blocking-threads N
 * </pre>
 *
 * <p>Everything else, from the settings to the exit code, is the host's.
 *
 * <p>Threads: the one that starts.
 */
public final class ServeCommand implements HostProgram {
    private static final String NAME = "serve";

    private final ClassLoader loader = ServeCommand.class.getClassLoader();

    private ServeCommand() { }

    /**
     * Serves; returns the exit code.
     *
     * @param args the subcommand first
     */
    public static int run(String[] args) {
        return Host.run(args, new ServeCommand());
    }

    @Override
    public String command() {
        return NAME;
    }

    @Override
    public Map<Setting, String> defaults() {
        return Map.of(Setting.APP, "bareapp", Setting.BLOCKING_THREADS, "4");
    }

    /** It serves nothing without pool threads. */
    @Override
    public String range(Setting setting) {
        return setting == Setting.BLOCKING_THREADS ? setting.rangeFrom(1) : setting.range();
    }

    @Override
    public Selection select(Settings settings, String command) {
        Applications.Found<HttpHandler> found =
                Applications.find(settings.text(Setting.APP), HttpHandler.class, loader);
        MountSettings.Judged mounts = MountSettings.judge(settings, loader);
        if (found.made() == null) {
            return new Selection(found.name(), null, true, "", Check.refuses("application",
                    settings.assignment(Setting.APP) + ": " + found.finding(),
                    Settings.fix(Setting.APP, Applications.WANTED)), mounts.check());
        }
        Contexts contexts = new Contexts();
        contexts.add(new ServedContext(new HostedServer(), "/", found.made()));
        MountingApp app = new MountingApp(mounts.mounts(), settings.isOn(Setting.MOUNT_LOOP));
        return new Selection(found.name(), app.service(contexts), true, app.unshared(),
                Check.holds("application", found.name()), mounts.check());
    }
}
