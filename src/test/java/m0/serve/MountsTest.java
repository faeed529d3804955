package m0.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.PageWords;
import m0.app.Producer;
import m0.http.Request;
import m0.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountsTest {
    private static final App APP = context -> request -> Response.empty(204);

    private final Mounts mounts = new Mounts(List.of(new Mount("/x", "a", APP),
            new Mount("/y/z", "b", APP), new Mount("/x/deep", "c", APP)));

    @ParameterizedTest
    @CsvSource({"/x, 0", "/x/, 0", "/x/now, 0", "/x?a=/x/deep, 0", "/x/deep, 2", "/x/deep/er, 2",
            "/x/deeper, 0", "/xapp, -1", "/xapp/now, -1", "/, -1", "/y, -1", "/y/z, 1",
            "/y/zz, -1", "/X, -1", "/a/x, -1"})
    void longestPrefixWinsAndSwallowsNoNeighbour(String target, int mount) {
        assertEquals(mount, mounts.indexOf(Asked.request("GET " + target + " HTTP/1.1")), target);
    }

    /** A table splits the path before it decodes, so an escape is never a part of a prefix. */
    @ParameterizedTest
    @CsvSource({"/%78, -1", "/%78/now, -1", "/x%2fdeep, -1", "/x/d%65ep, 0", "/x/%2e%2e/y/z, 0"})
    void prefixIsThatOfThePathAsItWasSent(String target, int mount) {
        assertEquals(mount, mounts.indexOf(Asked.request("GET " + target + " HTTP/1.1")), target);
    }

    @Test
    void limitsAreTheLeast() {
        assertEquals(2, new MountingApp(new Mounts(List.of(limited("/a", 3), limited("/b", 0),
                limited("/c", 2))), true).maxThreads());
        assertEquals(0, new MountingApp(new Mounts(List.of(limited("/a", 0))), true).maxThreads());
        assertEquals(6, new MountingApp(new Mounts(List.of(limited("/a", 3), limited("/b", 3))),
                true).pageSlots(1));
    }

    @Test
    void theFirstMountWhoseHandlersNoTwoThreadsMayShareIsNamed() {
        Mount shared = new Mount("/s", "shared", new App() {
            @Override
            public AppHandler make(HostContext context) {
                throw new AssertionError("nothing is made");
            }

            @Override
            public boolean handlerShared() {
                return true;
            }
        });
        MountingApp some = new MountingApp(
                new Mounts(List.of(shared, limited("/b", 0), limited("/a", 0))), true);
        assertEquals("mount /b=limited", some.unshared());
        assertFalse(some.handlerShared());
        MountingApp none = new MountingApp(new Mounts(List.of(shared)), true);
        assertEquals("", none.unshared());
        assertTrue(none.handlerShared());
    }

    @Test
    void eachMountHasItsOwnWordsAndItsProducerToo() throws Exception {
        long[] all = new long[6];
        Producer producer = () -> 1;
        App counting = new App() {
            @Override
            public AppHandler make(HostContext context) {
                throw new AssertionError("nothing is made");
            }

            @Override
            public Producer producer(HostContext context) {
                assertEquals("/b", context.prefix());
                context.page().set(0, 7);
                assertThrows(IndexOutOfBoundsException.class, () -> context.page().set(3, 8));
                assertThrows(IndexOutOfBoundsException.class, () -> context.page().get(-1));
                return producer;
            }

            @Override
            public int pageSlots(int loops) {
                return 3;
            }
        };
        MountingApp app = new MountingApp(new Mounts(List.of(limited("/a", 0),
                new Mount("/b", "counting", counting))), true);
        assertSame(producer, app.producer(of(all)), "the producer of the second mount");
        assertEquals("[0, 0, 0, 7, 0, 0]", Arrays.toString(all), "all words");
    }

    /** Threads and files of a producer would be left behind, and the refusal would not say whose it is. */
    @Test
    void aProducerThatCannotBeMadeIsNamedAndThoseBeforeItAreClosed() {
        List<String> closed = new ArrayList<>();
        MountingApp broken = new MountingApp(new Mounts(List.of(
                new Mount("/a", "first", producing("first", closed, null)),
                new Mount("/b", "second", producing("second", closed, "no such device")))), true);
        assertEquals("mount /b=second: no such device", assertThrows(IllegalStateException.class,
                () -> broken.producer(of(new long[0]))).getMessage());
        assertEquals(List.of("first"), closed);
        closed.clear();
        MountingApp two = new MountingApp(new Mounts(List.of(
                new Mount("/a", "first", producing("first", closed, null)),
                new Mount("/b", "second", producing("second", closed, null)))), true);
        IllegalStateException refusal = assertThrows(IllegalStateException.class,
                () -> two.producer(of(new long[0])));
        assertEquals("mount /b=second: it brings a producer as /a=first does, and a host has one",
                refusal.getMessage());
        assertEquals(List.of("first", "second"), closed);
        assertEquals(2, refusal.getSuppressed().length, "what closing them threw");
    }

    /** Handlers are made in the order of their mounts; what closing one throws keeps nobody open. */
    @Test
    void aHandlerThatCannotBeMadeIsNamedAndThoseBeforeItAreClosed() {
        List<String> closed = new ArrayList<>();
        List<Mount> all = new ArrayList<>();
        for (String name : List.of("first", "second")) {
            all.add(new Mount("/" + name, name, context -> closing(name, closed)));
        }
        all.add(new Mount("/third", "third", context -> {
            throw new IOException("no such file");
        }));
        IllegalStateException refusal = assertThrows(IllegalStateException.class,
                () -> new MountingApp(new Mounts(all), true).make(of(new long[0])));
        assertEquals("mount /third=third: no such file", refusal.getMessage());
        assertEquals(List.of("first", "second"), closed);
    }

    private static AppHandler closing(String name, List<String> closed) {
        return new AppHandler() {
            @Override
            public Response handle(Request request) {
                throw new AssertionError("it handles nothing");
            }

            @Override
            public void close() {
                closed.add(name);
                throw new IllegalStateException(name);
            }
        };
    }

    /** One whose producer throws when it is closed, or where a reason is given when it is made. */
    private static App producing(String name, List<String> closed, String reason) {
        return new App() {
            @Override
            public AppHandler make(HostContext context) {
                throw new AssertionError("nothing is made");
            }

            @Override
            public Producer producer(HostContext context) throws Exception {
                if (reason != null) {
                    throw new IOException(reason);
                }
                return new Producer() {
                    @Override
                    public long step() {
                        throw new AssertionError("nothing is stepped");
                    }

                    @Override
                    public void close() {
                        closed.add(name);
                        throw new IllegalStateException(name);
                    }
                };
            }
        };
    }

    /** A host's context of one worker, with those words and nothing else. */
    private static HostContext of(long[] all) {
        PageWords words = new PageWords() {
            @Override
            public int count() {
                return all.length;
            }

            @Override
            public long get(int index) {
                return all[index];
            }

            @Override
            public void set(int index, long value) {
                all[index] = value;
            }

            @Override
            public long add(int index, long delta) {
                return all[index] += delta;
            }
        };
        return (HostContext) Proxy.newProxyInstance(MountsTest.class.getClassLoader(),
                new Class<?>[] {HostContext.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "page":
                            return words;
                        case "workers":
                            return 1;
                        default:
                            throw new AssertionError(method + " is not asked");
                    }
                });
    }

    private static Mount limited(String prefix, int threads) {
        return new Mount(prefix, "limited", new App() {
            @Override
            public AppHandler make(HostContext context) {
                throw new AssertionError("nothing is made");
            }

            @Override
            public int maxWorkers() {
                return threads;
            }

            @Override
            public int pageSlots(int loops) {
                return 3;
            }
        });
    }
}
