package m0.pool;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * The JDK's virtual threads (21 and later), which bytecode for 17 cannot name.
 *
 * <p>Threads: any.
 */
final class VirtualThreads {
    private VirtualThreads() {
    }

    /** Whether this JDK has them. */
    static boolean areSupported() {
        try {
            factory("m0-probe");
            return true;
        } catch (IllegalStateException absent) {
            return false;
        }
    }

    /** Runs each task on a virtual thread of its own, of that name. */
    static Executor executor(String name) {
        ThreadFactory threads = factory(name);
        return task -> threads.newThread(task).start();
    }

    /** What makes virtual threads of that name. */
    private static ThreadFactory factory(String name) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> shape = Class.forName("java.lang.Thread$Builder");
            Object named = shape.getMethod("name", String.class).invoke(builder, name);
            return (ThreadFactory) shape.getMethod("factory").invoke(named);
        } catch (ReflectiveOperationException absent) {
            throw new IllegalStateException("this JDK has no virtual threads", absent);
        }
    }
}
