package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UtcTextTest {
    private static final DateTimeFormatter RFC_3339 =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final UtcText text = new UtcText();

    @Test
    void writesAMoment() {
        assertEquals("2026-01-31T22:59:59.999Z", of(1_769_900_399_999L));
    }

    @Test
    void rollsOverIntoTheNextSecondAndBack() {
        assertEquals("2026-01-31T22:59:59.999Z", of(1_769_900_399_999L));
        assertEquals("2026-01-31T23:00:00.000Z", of(1_769_900_400_000L));
        assertEquals("2026-01-31T22:59:59.998Z", of(1_769_900_399_998L));
    }

    @Test
    void agreesWithTheJdkOnRandomMoments() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int count = 0; count < 20_000; count++) {
            long moment = (long) (random.nextDouble() * 250_000_000_000_000L);
            assertEquals(RFC_3339.format(Instant.ofEpochMilli(moment)), of(moment),
                    "seed=" + seed);
        }
    }

    private String of(long epochMillis) {
        return new String(text.of(epochMillis), StandardCharsets.US_ASCII);
    }
}
