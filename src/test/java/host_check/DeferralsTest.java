package host_check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.http.Body;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What host_check's {@code /deferred} gives, and says that it gave. */
@Timeout(60)
class DeferralsTest {
    private AppHandler handler;

    @BeforeEach
    void make() throws Exception {
        handler = new HostCheck(name -> null).make(new FakeHostContext(0, 1, 0));
    }

    @AfterEach
    void close() {
        handler.close();
    }

    @Test
    void isCompletedBeforeTheHandlerReturnsWhereItIsToComeAtOnce() throws Exception {
        Response later = handler.handle(Requests.get("/deferred?ms=0"));
        assertEquals("{\"deferred\":1,\"taken\":1,\"late\":0,\"gone\":0}\n", told());
        assertEquals("deferred 0\n", awaited(later));
    }

    @Test
    void isCompletedByAnotherThreadWhenItsTimeHasCome() throws Exception {
        long startNs = System.nanoTime();
        Response later = handler.beforeRequest(Requests.get("/deferred-on-loop?ms=30"));
        assertEquals("deferred 30\n", awaited(later));
        assertTrue(System.nanoTime() - startNs >= 30_000_000L);
    }

    @Test
    void countsWhatComesTooLate() throws Exception {
        handler.handle(Requests.get("/deferred?ms=0&times=4"));
        assertEquals("{\"deferred\":1,\"taken\":1,\"late\":3,\"gone\":0}\n", told());
    }

    @Test
    void oneThatNeverComesIsToldOnceThatNobodyWaits() throws Exception {
        Response never = handler.handle(Requests.get("/deferred?ms=-1"));
        assertEquals("{\"deferred\":1,\"taken\":0,\"late\":0,\"gone\":0}\n", told());
        assertTrue(never.deferral().abandon());
        awaitTold("{\"deferred\":1,\"taken\":0,\"late\":0,\"gone\":1}\n");
    }

    @Test
    void oneThatComesTooLateIsToldTwice() throws Exception {
        int ms = 50;
        while (!handler.handle(Requests.get("/deferred?ms=" + ms)).deferral().abandon()) {
            // It was complete before anybody could go: this thread stood still for that long.
            ms *= 2;
            handler.close();
            make();
        }
        awaitTold("{\"deferred\":1,\"taken\":0,\"late\":1,\"gone\":1}\n");
    }

    @Test
    void refusesWhatItCannotRead() throws Exception {
        for (String bad : List.of("ms=x", "ms=-2", "ms=3600001", "ms=1&times=0", "times=10")) {
            assertEquals(400, handler.handle(Requests.get("/deferred?" + bad)).status(), bad);
        }
        assertEquals(405, handler.handle(Requests.of("POST", "/deferred", "")).status());
        assertEquals("{\"deferred\":0,\"taken\":0,\"late\":0,\"gone\":0}\n", told());
    }

    private String told() {
        return text(handler.beforeRequest(Requests.get("/deferred-told")));
    }

    private void awaitTold(String wanted) throws InterruptedException {
        while (!told().equals(wanted)) {
            Thread.sleep(1);
        }
    }

    private static String awaited(Response later) throws InterruptedException {
        var given = new AtomicReference<Response>();
        var done = new CountDownLatch(1);
        assertTrue(later.deferral().await(answer -> {
            given.set(answer);
            done.countDown();
        }));
        assertTrue(done.await(30, TimeUnit.SECONDS), "nothing was given");
        return text(given.get());
    }

    private static String text(Response answer) {
        var body = (Body.Bytes) answer.body();
        return new String(body.array(), body.offset(), body.length(), StandardCharsets.UTF_8);
    }
}
