package process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveHeapTest {
    private static final List<String> BEFORE = List.of(
        "4711:",
        " num     #instances         #bytes  class name (module)",
        "-------------------------------------------------------",
        "   1:          100           2400  [B (java.base@17.0.15)",
        "   2:           10            160  java.lang.Object (java.base@17.0.15)",
        "Total          110           2560");
    private static final List<String> AFTER = List.of(
        "   1:          200           4400  [B (java.base@17.0.15)",
        "   2:           50           3200  sun.nio.ch.SocketChannelImpl (java.base@17.0.15)",
        "   3:           10            160  java.lang.Object (java.base@17.0.15)",
        "Total          260           7760");

    @Test
    void namesTheClassesThatGrewMost() throws IOException {
        LiveHeap before = LiveHeap.parse(BEFORE);
        LiveHeap after = LiveHeap.parse(AFTER);
        assertEquals(5200, after.bytes() - before.bytes());
        assertEquals(List.of("sun.nio.ch.SocketChannelImpl 3200", "[B 2000"),
            after.grownSince(before, 2));
    }

    @Test
    void refusesAHistogramWithoutATotal() {
        assertThrows(IOException.class, () -> LiveHeap.parse(BEFORE.subList(0, 5)));
    }
}
