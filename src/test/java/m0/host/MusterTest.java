package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import m0.host.Muster.LoopFailure;
import m0.host.Muster.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MusterTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(20);

    private final Muster muster = new Muster(2);

    @Test
    void nobodyServesBeforeAllAreReady() throws Exception {
        CompletableFuture<Boolean> first = servingLater();
        CompletableFuture<Boolean> ready = later(muster::awaitReady);
        assertFalse(first.isDone() || ready.isDone());
        CompletableFuture<Boolean> second = servingLater();
        assertTrue(ready.get());
        assertFalse(first.isDone() || second.isDone(), "the coordinator has not opened yet");
        assertTrue(muster.open());
        assertTrue(first.get());
        assertTrue(second.get());
    }

    @Test
    void aThreadThatIsThroughEndsTheServingWhateverItFailedToSay() throws Exception {
        assertTrue(muster.open());
        CompletableFuture<Boolean> ending = later(() -> {
            muster.awaitEnding();
            return true;
        });
        muster.ended(0);
        assertTrue(ending.get());
    }

    @Test
    void oneThatFailsSendsTheOthersHome() throws Exception {
        CompletableFuture<Boolean> first = servingLater();
        LoopFailure failure = new LoopFailure(1, Stage.MAKE, new IllegalStateException("no"));
        muster.failed(failure);
        assertFalse(first.get());
        assertFalse(muster.awaitReady());
        assertFalse(muster.open());
        assertSame(failure, muster.failure());
    }

    @Test
    void firstFailureIsKept() {
        LoopFailure failure = new LoopFailure(0, Stage.SERVE, new Error());
        muster.failed(failure);
        muster.failed(new LoopFailure(1, Stage.SERVE, new Error()));
        assertSame(failure, muster.failure());
    }

    @Test
    void stopBeforeTheOpeningSendsAllHome() throws Exception {
        CompletableFuture<Boolean> first = servingLater();
        muster.askStop();
        assertFalse(first.get());
        assertFalse(muster.awaitReady());
        assertFalse(muster.open());
        assertNull(muster.failure());
        assertFalse(muster.awaitServing(), "one that comes late leaves too");
    }

    @Test
    void stopEndsTheCoordinatorsWait() throws Exception {
        servingLater();
        servingLater();
        assertTrue(muster.awaitReady());
        muster.open();
        CompletableFuture<Boolean> ending = later(() -> {
            muster.awaitEnding();
            return true;
        });
        assertFalse(ending.isDone());
        muster.askStop();
        assertTrue(ending.get());
    }

    @Test
    void waitForTheEndIsBoundedAndTellsWhoIsLeft() throws Exception {
        assertFalse(muster.awaitEnded(1_000_000));
        muster.ended(1);
        assertFalse(muster.awaitEnded(0));
        assertFalse(muster.hasEnded(0));
        assertTrue(muster.hasEnded(1));
        CompletableFuture<Boolean> all = later(() -> muster.awaitEnded(LONG_NS));
        muster.ended(0);
        assertTrue(all.get());
    }

    @Test
    void waitForAFailureEndsWithOne() throws Exception {
        assertFalse(muster.awaitFailure(1_000_000));
        CompletableFuture<Boolean> failed = later(() -> muster.awaitFailure(LONG_NS));
        muster.failed(new LoopFailure(0, Stage.SERVE, new Error()));
        assertTrue(failed.get());
        assertEquals(Stage.SERVE, muster.failure().stage());
    }

    private CompletableFuture<Boolean> servingLater() throws InterruptedException {
        return later(muster::awaitServing);
    }

    /** Runs the wait on a thread of its own, which has begun when this returns. */
    private static CompletableFuture<Boolean> later(Wait wait) throws InterruptedException {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            begun.countDown();
            try {
                result.complete(wait.run());
            } catch (InterruptedException interrupted) {
                result.completeExceptionally(interrupted);
            }
        });
        thread.setDaemon(true);
        thread.start();
        begun.await();
        return result;
    }

    private interface Wait {
        boolean run() throws InterruptedException;
    }
}
