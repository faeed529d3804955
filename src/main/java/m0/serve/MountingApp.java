package m0.serve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.Producer;
import m0.host.Service;
import m0.host.Service.LanePlan;
import m0.http.Request;
import m0.pool.JobHandler;
import m0.pool.JobHandlers;
import m0.pool.Placement;
import m0.pool.PoolLane;

/**
 * The applications that are mounted beside a handler, as one: a loop has an instance of each, the
 * limits are the least of theirs, and the words one part behind the other.
 *
 * <p>The handler is no application of ours and has no instance on a loop; its requests, which no
 * mount has, go to lane 0, and those of a mount to the lane behind it, in the order of the settings.
 *
 * <p>Threads: any; it is immutable. Errors: what a mount's {@code make} throws names the mount.
 */
final class MountingApp implements App {
    private final Mounts mounts;
    private final boolean loopRoutes;

    /** @param loopRoutes whether a mount's loop instance may answer; otherwise its lane does */
    MountingApp(Mounts mounts, boolean loopRoutes) {
        this.mounts = mounts;
        this.loopRoutes = loopRoutes;
    }

    /** This with its lanes: the handler's, and one for each mount. */
    Service service(Contexts contexts) {
        List<LanePlan> lanes = new ArrayList<>();
        lanes.add(new LanePlan((ofThread, failures) -> new HandlerLane(contexts, failures, false),
                null));
        for (int index = 0; index < mounts.all().size(); index++) {
            int mount = index;
            lanes.add(new LanePlan((ofThread, failures) -> handlers(mount,
                    new PoolLane(mounts.all().get(mount).app(),
                            thread -> context(mount, ofThread.apply(thread)))), null));
        }
        return new Service(this, new ByPrefix(mounts), lanes);
    }

    /** A class and no lambda, whose machinery would be loaded before the first answer. */
    private record ByPrefix(Mounts mounts) implements Placement {
        @Override
        public int lane(Request request) {
            return mounts.indexOf(request) + 1;
        }
    }

    private JobHandlers handlers(int mount, JobHandlers made) {
        return new JobHandlers() {
            @Override
            public JobHandler make(int thread) throws Exception {
                try {
                    return made.make(thread);
                } catch (Exception thrown) {
                    throw named(mount, thrown);
                }
            }
        };
    }

    @Override
    public AppHandler make(HostContext context) throws Exception {
        List<AppHandler> made = new ArrayList<>();
        for (int mount = 0; mount < mounts.all().size(); mount++) {
            try {
                AppHandler handler = mounts.all().get(mount).app().make(context(mount, context));
                if (handler == null) {
                    throw new IllegalStateException("make returned null");
                }
                made.add(handler);
            } catch (Exception thrown) {
                IllegalStateException refusal = named(mount, thrown);
                made.forEach(each -> close(each, refusal));
                throw refusal;
            }
        }
        return new MountingHandler(mounts, made, loopRoutes, settingTickMs(context));
    }

    /** Closes what nobody is going to use; what that throws hides not why. */
    private static void close(AutoCloseable unused, IllegalStateException refusal) {
        try {
            unused.close();
        } catch (Exception thrown) {
            refusal.addSuppressed(thrown);
        }
    }

    private static long settingTickMs(HostContext context) {
        return Long.parseLong(context.setting("M0_APP_TICK_MS"));
    }

    private IllegalStateException named(int mount, Exception thrown) {
        String message = thrown.getMessage();
        return new IllegalStateException("mount " + mounts.all().get(mount) + ": "
                + (message == null ? thrown.getClass().getName() : message), thrown);
    }

    private HostContext context(int mount, HostContext host) {
        int first = 0;
        for (int before = 0; before < mount; before++) {
            first += mounts.all().get(before).app().pageSlots(host.workers());
        }
        Mount mounted = mounts.all().get(mount);
        return new MountContext(host, mounted.prefix(), first,
                mounted.app().pageSlots(host.workers()));
    }

    /** One mount's: a second producer would need a thread of its own. */
    @Override
    public Producer producer(HostContext context) throws Exception {
        Producer found = null;
        int owner = 0;
        for (int mount = 0; mount < mounts.all().size(); mount++) {
            Producer made = null;
            try {
                made = mounts.all().get(mount).app().producer(context(mount, context));
                if (made != null && found != null) {
                    throw new IllegalStateException("it brings a producer as " + mounts.all()
                            .get(owner) + " does, and a host has one");
                }
            } catch (Exception thrown) {
                IllegalStateException refusal = named(mount, thrown);
                for (Producer each : Arrays.asList(found, made)) {
                    if (each != null) {
                        close(each, refusal);
                    }
                }
                throw refusal;
            }
            if (made != null) {
                found = made;
                owner = mount;
            }
        }
        return found;
    }

    @Override
    public int maxWorkers() {
        int least = 0;
        for (Mount mount : mounts.all()) {
            least = least(least, mount.app().maxWorkers());
        }
        return least;
    }

    @Override
    public int maxThreads() {
        int least = 0;
        for (Mount mount : mounts.all()) {
            least = least(least, mount.app().maxThreads());
        }
        return least;
    }

    /** Of two limits, 0 being none. */
    private static int least(int one, int other) {
        return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
    }

    @Override
    public int pageSlots(int loops) {
        int all = 0;
        for (Mount mount : mounts.all()) {
            all += mount.app().pageSlots(loops);
        }
        return all;
    }

    /** Each mount that does not was refused by name. */
    @Override
    public boolean poolAllowed() {
        return true;
    }

    @Override
    public boolean handlerShared() {
        return unshared().isEmpty();
    }

    /**
     * The first mount whose handlers no two threads may share, as a refusal names it; or empty. The
     * handler's may be, by the JDK's contract.
     */
    String unshared() {
        for (Mount mount : mounts.all()) {
            if (!mount.app().handlerShared()) {
                return "mount " + mount;
            }
        }
        return "";
    }

    @Override
    public Set<String> settings() {
        Set<String> all = new HashSet<>();
        for (Mount mount : mounts.all()) {
            all.addAll(mount.app().settings());
        }
        return all;
    }
}
