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
        CompletableFuture<Boolean> first = servingLater(0);
        CompletableFuture<Boolean> ready = later(() -> muster.awaitReady(LONG_NS));
        assertFalse(first.isDone() || ready.isDone());
        CompletableFuture<Boolean> second = servingLater(1);
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

    private static LoopFailure failed(int loop, Stage stage, Throwable cause) {
        return new LoopFailure(loop, 0, -1, stage, cause, null);
    }

    @Test
    void oneThatFailsSendsTheOthersHome() throws Exception {
        CompletableFuture<Boolean> first = servingLater(0);
        LoopFailure failure = failed(1, Stage.MAKE, new IllegalStateException("no"));
        muster.failed(failure);
        assertFalse(first.get());
        assertFalse(muster.awaitReady(LONG_NS));
        assertFalse(muster.open());
        assertSame(failure, muster.failure());
    }

    @Test
    void firstFailureIsKept() {
        LoopFailure failure = failed(0, Stage.SERVE, new Error());
        muster.failed(failure);
        muster.failed(failed(1, Stage.SERVE, new Error()));
        assertSame(failure, muster.failure());
    }

    @Test
    void stopBeforeTheOpeningSendsAllHome() throws Exception {
        CompletableFuture<Boolean> first = servingLater(0);
        muster.askStop();
        assertFalse(first.get());
        assertFalse(muster.awaitReady(LONG_NS));
        assertFalse(muster.open());
        assertNull(muster.failure());
        assertFalse(muster.awaitServing(1), "one that comes late leaves too");
    }

    @Test
    void waitForTheHandlersIsBoundedAndTellsWhoIsLate() throws Exception {
        servingLater(0);
        while (muster.firstUnready() != 1) {
            Thread.onSpinWait();
        }
        assertFalse(muster.awaitReady(1_000_000));
        assertEquals(1, muster.firstUnready());
        servingLater(1);
        assertTrue(muster.awaitReady(LONG_NS));
        assertEquals(-1, muster.firstUnready());
    }

    @Test
    void nobodyIsLateOnceTheBuildingIsGivenUp() throws Exception {
        muster.askStop();
        assertFalse(muster.awaitReady(LONG_NS));
        assertEquals(-1, muster.firstUnready());
    }

    @Test
    void stopEndsTheCoordinatorsWait() throws Exception {
        servingLater(0);
        servingLater(1);
        assertTrue(muster.awaitReady(LONG_NS));
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
        muster.failed(failed(0, Stage.SERVE, new Error()));
        assertTrue(failed.get());
        assertEquals(Stage.SERVE, muster.failure().stage());
    }

    private CompletableFuture<Boolean> servingLater(int loop) throws InterruptedException {
        return later(() -> muster.awaitServing(loop));
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
