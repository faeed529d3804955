package sim_loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.app.FakePublisher;
import m0.app.Producer;
import m0.http.Body;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class SimLoopTest {
    private final App app = new SimLoop(0);
    private final FakeHostContext context = new FakeHostContext(0, 2, -1);

    @Test
    void theProducerPublishesEachStepsStateFourTimesASecond() throws Exception {
        try (Producer producer = app.producer(context)) {
            assertEquals(250_000_000L, producer.step());
            producer.step();
        }
        List<FakePublisher.Frame> frames = context.publisher().take();
        assertEquals(2, frames.size());
        assertEquals("state", frames.get(0).channel());
        assertTrue(frames.get(0).data().startsWith("{\"step\":1,\"seconds\":0.25,\"position\":0.8"),
                frames.get(0).data());
        assertTrue(frames.get(1).data().startsWith("{\"step\":2,\"seconds\":0.50,\"position\":0.5"),
                frames.get(1).data());
    }

    @Test
    void noLoopStepsWhereTheProducerDoes() throws Exception {
        AppHandler handler = app.make(context);
        assertEquals(0, handler.tickMs());
        handler.tick(1);
        assertEquals(List.of(), context.publisher().take());
    }

    @Test
    void onTheLoopTheFirstOneStepsAloneAndThereIsNoProducer() throws Exception {
        context.with("M0_SIMLOOP_ON_LOOP", "1");
        assertNull(app.producer(context));
        AppHandler handler = app.make(context);
        assertEquals(250, handler.tickMs());
        handler.tick(1);
        assertEquals(1, context.publisher().take().size());
        FakeHostContext second = context.sibling(1).with("M0_SIMLOOP_ON_LOOP", "1");
        AppHandler other = app.make(second);
        assertEquals(0, other.tickMs());
        other.tick(1);
        assertEquals(List.of(), context.publisher().take());
    }

    @Test
    void aVariableThatIsNeitherIsRefused() {
        context.with("M0_SIMLOOP_ON_LOOP", "yes");
        assertEquals("M0_SIMLOOP_ON_LOOP=yes is neither 0 nor 1",
                assertThrows(IllegalArgumentException.class, () -> app.make(context))
                        .getMessage());
    }

    @Test
    void eventsAndHealthAreAnsweredBeforeTheRequestIsAJob() throws Exception {
        AppHandler handler = app.make(context);
        Response events = handler.beforeRequest(Requests.get("/events"));
        assertEquals("state", assertInstanceOf(Body.Events.class, events.body()).channel());
        assertNotNull(handler.beforeRequest(Requests.of("HEAD", "/health", "")));
        assertEquals(405, handler.beforeRequest(Requests.of("POST", "/events", "")).status());
        assertNull(handler.beforeRequest(Requests.get("/")));
        assertEquals(404, handler.handle(Requests.get("/")).status());
    }

    @Test
    void aStepTakesItsTime() {
        Spring spring = new Spring(3_000_000);
        long startNs = System.nanoTime();
        spring.step();
        assertTrue(System.nanoTime() - startNs >= 3_000_000);
    }
}
