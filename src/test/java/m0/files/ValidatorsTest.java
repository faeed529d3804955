package m0.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ValidatorsTest {
    private static final Instant THEN = Instant.ofEpochSecond(784111777, 123_456_789);

    private static String tag(long size, Instant modified) {
        return Validators.of(size, FileTime.from(modified), 2_000_000_000).entityTag();
    }

    @Test
    void aTagIsStrongAndTheSameForTheSameState() {
        assertTrue(tag(7, THEN).matches("\"[!#-~]+\""), tag(7, THEN));
        assertEquals(tag(7, THEN), tag(7, THEN));
    }

    @Test
    void aTagTellsSizesSecondsAndNanosecondsApart() {
        assertNotEquals(tag(7, THEN), tag(8, THEN), "another size");
        assertNotEquals(tag(7, THEN), tag(7, THEN.plusSeconds(1)), "another second");
        assertNotEquals(tag(7, THEN), tag(7, THEN.plusNanos(1)), "another nanosecond");
        assertNotEquals(tag(0x12, Instant.ofEpochSecond(3)), tag(1, Instant.ofEpochSecond(0x23)),
                "parts that run together");
    }

    @Test
    void noChangeIsLaterThanNow() {
        FileTime modified = FileTime.from(THEN);
        assertEquals(784111777, Validators.of(7, modified, 784111777).modifiedSecond());
        assertEquals(784111000, Validators.of(7, modified, 784111000).modifiedSecond(),
                "a time that is still to come");
    }

    /** A file system may hold what a broken archive said. */
    @Test
    void noChangeIsEarlierThanADateCanSay() {
        FileTime modified = FileTime.from(-1L << 55, TimeUnit.SECONDS);
        long second = Validators.of(7, modified, 784111000).modifiedSecond();
        assertEquals("Mon, 01 Jan 0001 00:00:00 GMT", HttpDates.text(second),
                "a time before all years");
    }
}
