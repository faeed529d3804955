package m0.connection;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What one source runs to say that it has something: see {@link m0.http.ChunkSource#wakesBy}.
 *
 * <pre>
 *   the source                    the loop
 *   has something                 takes it from the mail
 *   looks whether it is put       clears "is put"
 *   puts it, unless it is         asks the source
 * </pre>
 *
 * <p>Between storing and looking stands a full fence on either side: at least one of the two sees
 * the other, so nothing waits beside a loop that has asked in vain.
 *
 * <p>Threads: {@link #run} any, the rest the loop's.
 */
final class SourceWake implements Runnable {
    private final SourceMail mail;
    /** Raised by whoever puts it there, lowered by the loop; stays up once the source has ended. */
    private final AtomicBoolean put = new AtomicBoolean();
    /** Whose answer the source is; null once that has ended, and nobody else's ever. */
    private Connection connection;
    /** The mail's link; moved from one thread to the other as the mail does. */
    SourceWake next;

    SourceWake(SourceMail mail, Connection connection) {
        this.mail = mail;
        this.connection = connection;
    }

    @Override
    public void run() {
        // What the source has stored may be a plain release, which a later load could overtake.
        VarHandle.fullFence();
        if (put.compareAndSet(false, true)) {
            mail.put(this);
        }
    }

    /** It was taken from the mail: has the source asked, if that has not ended. */
    void deliver() {
        if (connection != null) {
            put.set(false);
            VarHandle.fullFence();
            connection.onSourceDue();
        }
    }

    /** The source has ended: whatever it still says, nobody is told. */
    void end() {
        connection = null;
        put.set(true);
    }
}
