package kit;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The servers a gate has started, so that a failure can quote their logs and none outlives it.
 *
 * <p>Threads: a gate class runs on one thread, so its servers are kept by thread; what is still
 * alive when this JVM ends is killed by a hook.
 */
final class Servers {

    private static final ThreadLocal<List<ServerProcess>> OF_THREAD =
            ThreadLocal.withInitial(ArrayList::new);
    private static final Set<ServerProcess> ALL = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Servers::closeAll, "servers-left-behind"));
    }

    private Servers() {
    }

    static void add(ServerProcess server) {
        OF_THREAD.get().add(server);
        ALL.add(server);
    }

    /** The servers since the last {@link #forgetClosed}, in the order of their start. */
    static List<ServerProcess> ofThread() {
        return OF_THREAD.get();
    }

    static void forgetClosed() {
        Iterator<ServerProcess> each = OF_THREAD.get().iterator();
        while (each.hasNext()) {
            ServerProcess server = each.next();
            if (server.isClosed()) {
                each.remove();
                ALL.remove(server);
            }
        }
    }

    /** Closes what a gate class forgot to close. */
    static void closeOfThread() {
        OF_THREAD.get().forEach(ServerProcess::close);
        forgetClosed();
    }

    private static void closeAll() {
        ALL.forEach(ServerProcess::close);
    }
}
