package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import m0.app.Producer;
import m0.page.Page;
import m0.page.Page.ProducerState;
import org.junit.jupiter.api.Test;

class ObservedProducerTest {
    private final Page page = Page.inMemory(1, 0);
    private final RuntimeException failure = new IllegalStateException("x");
    private boolean throwsNow;
    private int closed;
    private final Producer producer = new Producer() {
        @Override
        public long step() {
            if (throwsNow) {
                throw failure;
            }
            return 77;
        }

        @Override
        public void close() {
            closed++;
        }
    };

    @Test
    void isUpUntilAStepThrows() throws Exception {
        assertEquals(ProducerState.NONE, page.producer());
        Producer observed = new ObservedProducer(producer, page);
        assertEquals(ProducerState.UP, page.producer());
        assertEquals(77, observed.step());
        assertEquals(ProducerState.UP, page.producer());
        throwsNow = true;
        assertSame(failure, assertThrows(RuntimeException.class, observed::step));
        assertEquals(ProducerState.DOWN, page.producer());
    }

    @Test
    void isDownOnceItIsClosed() {
        Producer observed = new ObservedProducer(producer, page);
        observed.close();
        assertEquals(ProducerState.DOWN, page.producer());
        assertEquals(1, closed);
    }
}
