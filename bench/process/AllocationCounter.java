package process;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Reads over local JMX how many bytes a server's threads have allocated.
 *
 * <p>The agent runs on threads of its own in the server: what it allocates is not the loop's.
 */
public final class AllocationCounter implements AutoCloseable {
    private final JMXConnector connector;
    private final ThreadMXBean threads;
    private final long threadId;

    public AllocationCounter(ServerProcess server) throws IOException {
        this.connector = JMXConnectorFactory.connect(new JMXServiceURL(agentUrl(server.pid())));
        this.threads = ManagementFactory.newPlatformMXBeanProxy(
            connector.getMBeanServerConnection(), ManagementFactory.THREAD_MXBEAN_NAME,
            ThreadMXBean.class);
        this.threadId = threadId(server.arm().loopThread());
    }

    private static String agentUrl(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
            try {
                return machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to " + pid, e);
        }
    }

    private long threadId(String name) throws IOException {
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().equals(name)) {
                return thread.getThreadId();
            }
        }
        throw new IOException("no thread named " + name);
    }

    /** Bytes the loop's thread has allocated since it began. */
    public long bytes() {
        return threads.getThreadAllocatedBytes(threadId);
    }

    /** Bytes that the living threads whose names begin so have allocated since they began. */
    public long bytesOf(String prefix) {
        long bytes = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(prefix)) {
                bytes += threads.getThreadAllocatedBytes(thread.getThreadId());
            }
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
