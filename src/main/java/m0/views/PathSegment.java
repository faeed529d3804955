package m0.views;

import m0.http.UriCoding;

/**
 * One segment of a raw path, looked at octet by decoded octet, so that it costs no allocation. An
 * escape that is malformed equals nothing.
 *
 * <p>Threads: any.
 */
final class PathSegment {
    private static final int FACTOR = 31;

    private PathSegment() { }

    /** The index of the slash that ends the segment which begins at {@code from}, or {@code to}. */
    static int end(byte[] array, int from, int to) {
        int index = from;
        while (index < to && array[index] != '/') {
            index++;
        }
        return index;
    }

    /** A hash of the decoded octets. */
    static int hash(byte[] array, int from, int to) {
        int hash = 0;
        for (int index = from; index < to; index = UriCoding.next(array, index)) {
            hash = FACTOR * hash + UriCoding.octet(array, index, to);
        }
        return spread(hash);
    }

    /** The hash of a segment that decodes to these octets. */
    static int hashOf(byte[] octets) {
        int hash = 0;
        for (byte octet : octets) {
            hash = FACTOR * hash + (octet & 0xff);
        }
        return spread(hash);
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 16;
    }

    /** Whether the decoded octets are these. */
    static boolean equal(byte[] array, int from, int to, byte[] octets) {
        int index = from;
        for (byte octet : octets) {
            if (index >= to || UriCoding.octet(array, index, to) != (octet & 0xff)) {
                return false;
            }
            index = UriCoding.next(array, index);
        }
        return index == to;
    }

    /** Whether it is {@code .} or {@code ..}, escaped or not. */
    static boolean isDots(byte[] array, int from, int to) {
        int count = 0;
        for (int index = from; index < to; index = UriCoding.next(array, index)) {
            if (++count > 2 || UriCoding.octet(array, index, to) != '.') {
                return false;
            }
        }
        return count > 0;
    }
}
