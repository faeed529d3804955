package m0.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0,             10, bytes 0-0/10",
        "bytes=2-5,             10, bytes 2-5/10",
        "bytes=2-,              10, bytes 2-9/10",
        "bytes=9-,              10, bytes 9-9/10",
        "bytes=0-9,             10, bytes 0-9/10",
        "bytes=0-10,            10, bytes 0-9/10",
        "bytes=5-99,            10, bytes 5-9/10",
        "bytes=-1,              10, bytes 9-9/10",
        "bytes=-10,             10, bytes 0-9/10",
        "bytes=-11,             10, bytes 0-9/10",
        "bytes=00002-05,        10, bytes 2-5/10",
        "Bytes=2-5,             10, bytes 2-5/10",
        "'bytes= 2-5 ',         10, bytes 2-5/10",
        "'bytes=,2-5,',         10, bytes 2-5/10",
        "bytes=1-99999999999999999999999, 10, bytes 1-9/10",
        "bytes=-99999999999999999999999,  10, bytes 0-9/10",
        "bytes=4294967296-,     4294967300, bytes 4294967296-4294967299/4294967300",
    })
    void onePartIsThatPart(String field, long size, String expected) {
        ByteRange range = ByteRange.of(field, size);
        assertEquals(ByteRange.Kind.PART, range.kind(), "the kind of " + field);
        assertEquals(expected, range.contentRange(size), "the part that is " + field);
    }

    @ParameterizedTest
    @CsvSource({"bytes=10-, 10", "bytes=10-20, 10", "bytes=0-, 0", "bytes=0-0, 0", "bytes=-0, 10",
        "bytes=-0, 0", "bytes=-000, 10", "bytes=99999999999999999999999-, 10",
        "bytes=9223372036854775807-, 10", "bytes=18446744073709551616-, 10"})
    void whatBeginsBehindTheEndCannotBeSatisfied(String field, long size) {
        assertEquals(ByteRange.Kind.UNSATISFIABLE, ByteRange.of(field, size).kind(),
                "the kind of " + field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-1,3-4", "bytes=0-1, 3-4", "bytes=0-1,-1", "bytes=5-2",
        "bytes=-", "bytes=", "bytes=,", "bytes", "bytes=2", "bytes=a-b", "bytes=1-b", "bytes=+1-2",
        "bytes=1-+2", "bytes=--1", "bytes=-1-", "bytes=1--2", "bytes=1-2-3", "bytes=0x1-2",
        "bytes=1 -2", "bytes:0-1", "lines=0-1", "=0-1", "0-1", "bytes =0-1", "bytes=\u0661-2"})
    void severalRangesAndWhatIsMalformedAreTheWholeFile(String field) {
        assertEquals(ByteRange.whole(10), ByteRange.of(field, 10), field);
    }

    @Test
    void withoutAFieldItIsTheWholeFile() {
        assertEquals(ByteRange.whole(10), ByteRange.of(null, 10));
    }

    /** RFC 9110 §14.1.2 calls it satisfiable, and no Content-Range can say it. */
    @Test
    void theLastBytesOfAnEmptyFileAreAllOfIt() {
        assertEquals(ByteRange.whole(0), ByteRange.of("bytes=-5", 0));
    }

    @Test
    void whateverIsAskedForLiesInTheFile() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int count = 0; count < 100_000; count++) {
            long size = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(1000);
            var field = new StringBuilder("bytes=");
            for (int length = random.nextInt(8); length > 0; length--) {
                field.append("0123459-,  -".charAt(random.nextInt(12)));
            }
            ByteRange range = ByteRange.of(field.toString(), size);
            boolean inside = switch (range.kind()) {
                case WHOLE -> range.first() == 0 && range.length() == size;
                case PART -> range.first() >= 0 && range.length() > 0
                        && range.first() + range.length() <= size;
                case UNSATISFIABLE -> true;
            };
            assertEquals(true, inside, "seed=" + seed + " " + field + " of " + size + ": " + range);
        }
    }
}
