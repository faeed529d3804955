package m0.host;

import m0.app.Producer;
import m0.page.Page;
import m0.page.Page.ProducerState;

/**
 * The application's producer, whose state is kept in the page for all to see: up from the first,
 * down once a step has thrown or it was closed.
 *
 * <p>Threads: as a producer's; the page is for any.
 */
final class ObservedProducer implements Producer {
    private final Producer producer;
    private final Page page;

    ObservedProducer(Producer producer, Page page) {
        this.producer = producer;
        this.page = page;
        page.producer(ProducerState.UP);
    }

    @Override
    public long step() throws Exception {
        boolean stepped = false;
        try {
            long waitNs = producer.step();
            stepped = true;
            return waitNs;
        } finally {
            if (!stepped) {
                page.producer(ProducerState.DOWN);
            }
        }
    }

    @Override
    public void close() {
        page.producer(ProducerState.DOWN);
        producer.close();
    }
}
