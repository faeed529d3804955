package load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/**
 * Serves one connection: the same answer for each request, an empty one closes. Requests beyond the
 * last that it answers are read and left without an answer.
 */
final class Peer implements AutoCloseable {
    private final ServerSocket listener =
        new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final int requestBytes;
    private final byte[] answer;
    private final long delayMs;
    private final int answersMax;
    private final Thread thread = new Thread(this::serve, "test-peer");
    private final CountDownLatch hasAnswered = new CountDownLatch(1);
    /** A client that gives up leaves bytes unread, which resets; one that ends does not. */
    private boolean answeredToTheEnd = true;

    /** Answers at once, as often as it is asked. */
    Peer(int requestBytes, byte[] answer) throws IOException {
        this(requestBytes, answer, 0, Integer.MAX_VALUE);
    }

    /**
     * Answers after a while, and not for ever.
     *
     * @param requestBytes the size of each request
     * @param answersMax   how many answers it gives
     */
    Peer(int requestBytes, byte[] answer, long delayMs, int answersMax) throws IOException {
        this.requestBytes = requestBytes;
        this.answer = answer;
        this.delayMs = delayMs;
        this.answersMax = answersMax;
        thread.start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void serve() {
        try (Socket socket = listener.accept()) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            int answers = 0;
            while (in.readNBytes(requestBytes).length == requestBytes && answer.length > 0) {
                if (answers == answersMax) {
                    hasAnswered.countDown();
                    continue;
                }
                Thread.sleep(delayMs);
                out.write(answer);
                answers++;
            }
        } catch (IOException clientReset) {
            answeredToTheEnd = false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        hasAnswered.countDown();
    }

    /** Waits for a request behind the last that it answers, or for the client's end. */
    void awaitAnswered() throws InterruptedException {
        hasAnswered.await();
    }

    /** Known once it is closed. */
    boolean answeredToTheEnd() {
        return answeredToTheEnd;
    }

    @Override
    public void close() throws Exception {
        thread.join();
        listener.close();
    }
}
