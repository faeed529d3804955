package m0.http;

import java.util.Objects;

/**
 * An answer that is given later, by any thread: see {@link Response#deferred()}.
 *
 * <pre>
 *                  await                    complete
 *   NEW ------------------------> AWAITED ------------> GIVEN
 *    |                               |                    ^
 *    | complete                      | abandon            |
 *    |                               v                    |
 *    |                             GONE                   |
 *    +----------------------------------------------------+ (await then tells at once)
 * </pre>
 *
 * <p>Threads: any; it locks for a few instructions and calls out without the lock. Limits:
 * {@code M0_DEFERRED_DEADLINE_MS}, after which the client gets 503 and {@link #complete} returns
 * false. Errors: none of the host's are thrown here.
 */
public final class Deferred {
    /** Who waits for the answer: the host. Threads: the one that completes. */
    public interface Waiter {
        /** The answer is there. Called once. */
        void onAnswer(Response answer);
    }

    /** Stands where nobody is to wait. */
    private static final Waiter NOBODY = answer -> { };

    private Waiter waiter;
    private Response answer;
    private boolean gone;
    /** Run where nobody waits any more; null for none, and once it was run. */
    private Runnable atEnd;

    Deferred() { }

    /**
     * Gives the answer.
     *
     * @param given any response but a deferred one; what it brings, a source of chunks say, is the
     *     host's if this returns true
     * @return false if it came too late: the client has gone, the deadline has passed, or an answer
     *     was given already
     */
    public boolean complete(Response given) {
        Objects.requireNonNull(given, "a deferred answer is completed with a response");
        if (given.body() instanceof Body.Later) {
            throw new IllegalArgumentException("a deferred answer cannot be deferred once more");
        }
        Waiter told;
        synchronized (this) {
            if (gone || answer != null) {
                return false;
            }
            answer = given;
            told = waiter;
        }
        if (told != null) {
            told.onAnswer(given);
        }
        return true;
    }

    /** Whether nobody waits for the answer any more. */
    public synchronized boolean isGone() {
        return gone;
    }

    /**
     * Has {@code tells} run, once, where the host stops waiting before the answer is given: at the
     * deadline, when the client goes, when a drain cuts it. It runs on the loop's thread and returns
     * at once; here and now where nobody waits any more already. Not at all behind an answer.
     *
     * @throws IllegalStateException where something else is to be told so already
     */
    public void whenGone(Runnable tells) {
        Objects.requireNonNull(tells, "nothing to run");
        synchronized (this) {
            if (atEnd != null) {
                throw new IllegalStateException("somebody is told of this answer's end already");
            }
            if (!gone) {
                atEnd = tells;
                return;
            }
            if (answer != null) {
                return;
            }
        }
        tells.run();
    }

    /**
     * Tells whoever is to be told, if nobody waits any more and no answer was given. For the host,
     * behind {@link #abandon} and {@link #forgo}; it throws what the application does.
     */
    public void tellGone() {
        Runnable tells;
        synchronized (this) {
            if (!gone || answer != null) {
                return;
            }
            tells = atEnd;
            atEnd = null;
        }
        if (tells != null) {
            tells.run();
        }
    }

    /**
     * Waits for the answer; tells at once where it was given before. For the host.
     *
     * @return false if somebody waits already
     */
    public boolean await(Waiter waits) {
        Response given;
        synchronized (this) {
            if (waiter != null) {
                return false;
            }
            waiter = waits;
            given = answer;
        }
        if (given != null) {
            waits.onAnswer(given);
        }
        return true;
    }

    /**
     * Waits no more. For the host.
     *
     * @return false if the answer was given before: it is on its way to the waiter
     */
    public synchronized boolean abandon() {
        if (answer != null) {
            return false;
        }
        gone = true;
        return true;
    }

    /**
     * Nobody is going to wait, unless somebody does already. For the host.
     *
     * @return what was given before and nobody gets, or null
     */
    public synchronized Response forgo() {
        if (waiter != null) {
            return null;
        }
        waiter = NOBODY;
        gone = true;
        return answer;
    }
}
