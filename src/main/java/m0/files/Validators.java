package m0.files;

import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * What tells one state of a file from another (RFC 9110 §8.8).
 *
 * <p>The entity tag is made of the size and the time of the last change, as finely as the file
 * system has it. It cannot tell two states of one size within one tick of that clock (a few
 * milliseconds on Linux), nor one whose time was set back by hand, as {@code cp -p} or a build with
 * fixed times does. What is replaced while it is served should get a new name.
 *
 * @param entityTag strong, with its quotes
 * @param modifiedSecond seconds since 1970, never later than now (RFC 9110 §8.8.2.1), nor earlier than
 *     the first year that a date of HTTP can name
 */
record Validators(String entityTag, long modifiedSecond) {
    /** The first of January of the year 1. */
    static final long EARLIEST_SECOND = -62_135_596_800L;

    static Validators of(long size, FileTime modified, long nowSecond) {
        Instant instant = modified.toInstant();
        String tag = '"' + Long.toHexString(size) + '-'
                + Long.toHexString(instant.getEpochSecond()) + '.'
                + Integer.toHexString(instant.getNano()) + '"';
        return new Validators(tag, Math.max(EARLIEST_SECOND,
                Math.min(instant.getEpochSecond(), nowSecond)));
    }
}
