package m0.loop;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * One connection's bytes, without waiting. The loop's implementation is a socket; a test's is
 * scripted.
 *
 * <p>Threads: the loop's. Errors: the environment's are return codes, {@link #FAILED} whatever the
 * operating system said; the connection is then closed.
 */
public interface Transport {
    /** The peer sends no more. */
    int END = -1;
    /** The connection is broken. */
    int FAILED = -2;

    /** Reads what is there; the number of bytes, 0 for none now, {@link #END} or {@link #FAILED}. */
    int read(ByteBuffer into);

    /** Writes what fits; the number of bytes taken, or {@link #FAILED}. */
    int write(ByteBuffer from);

    /**
     * Sends part of a file.
     *
     * @return bytes sent, 0 when the socket is full or the file ends there, or {@link #FAILED}
     */
    long transfer(FileChannel file, long position, long count);

    /** Which events to report from now on. Asking for what is set already costs nothing. */
    void interest(boolean read, boolean write);

    /** Says to the peer that nothing more follows; false if it has gone. */
    boolean shutdownOutput();

    /** Has the operating system probe a peer that is quiet for so long; false if it has gone. */
    boolean keepAlive(int seconds);

    void close();

    /** The peer's address. */
    InetSocketAddress remote();

    /** The address on which it reached us. */
    InetSocketAddress local();
}
