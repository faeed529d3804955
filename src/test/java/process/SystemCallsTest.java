package process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemCallsTest {
    @Test
    void readsCallsWithAndWithoutErrors() {
        Map<String, Long> counts = SystemCalls.counts(List.of(
            "% time     seconds  usecs/call     calls    errors syscall",
            "------ ----------- ----------- --------- --------- ----------------",
            " 70.12    0.512345          16     32000           write",
            " 29.88    0.218345           6     32001         1 read",
            "------ ----------- ----------- --------- --------- ----------------",
            "100.00    0.730690          11     64001         1 total"));
        assertEquals(Map.of("write", 32_000L, "read", 32_001L), counts);
    }
}
