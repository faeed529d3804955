package m0.http.parse;

import m0.bytes.Ascii;

/**
 * Checks {@code host [":" port]}: a registered name, an IPv4 address, or an IPv6 address in
 * brackets (RFC 3986 §3.2.2). User information is no part of it, so an {@code @} is refused.
 */
final class Authority {
    private static final int PORT_MAX = 65_535;
    private static final int GROUPS = 8;

    private Authority() { }

    /** Whether {@code [from, to)} is a host that is not empty, with or without a port. */
    static boolean isHostAndPort(byte[] array, int from, int to) {
        if (from == to) {
            return false;
        }
        int hostTo = array[from] == '[' ? literalEnd(array, from, to) : nameEnd(array, from, to);
        return hostTo > from && (hostTo == to || isPort(array, hostTo, to));
    }

    /** The index after the registered name at {@code from}, or −1 for a malformed escape. */
    private static int nameEnd(byte[] array, int from, int to) {
        int index = from;
        while (index < to) {
            if (Ascii.is(array[index], Ascii.REG_NAME)) {
                index++;
            } else if (array[index] == '%') {
                if (!Escapes.isEscape(array, index, to)) {
                    return -1;
                }
                index += Escapes.LENGTH;
            } else {
                break;
            }
        }
        return index;
    }

    private static int literalEnd(byte[] array, int from, int to) {
        for (int index = from + 1; index < to; index++) {
            if (array[index] == ']') {
                return isVersion6(array, from + 1, index) ? index + 1 : -1;
            }
        }
        return -1;
    }

    /**
     * Whether {@code [from, to)} is an IPv6 address: eight groups of one to four hexadecimal digits,
     * of which {@code ::} replaces one run and an IPv4 address the last two.
     */
    private static boolean isVersion6(byte[] array, int from, int to) {
        int groups = 0;
        boolean shortened = false;
        int index = from;
        if (index + 1 < to && array[index] == ':' && array[index + 1] == ':') {
            shortened = true;
            index += 2;
        }
        while (index < to) {
            int groupTo = index;
            while (groupTo < to && Ascii.hexValue(array[groupTo]) >= 0) {
                groupTo++;
            }
            if (groupTo < to && array[groupTo] == '.') {
                groups += 2;
                return isVersion4(array, index, to) && isWhole(groups, shortened);
            }
            if (groupTo == index || groupTo - index > 4) {
                return false;
            }
            groups++;
            if (groupTo == to) {
                return isWhole(groups, shortened);
            }
            if (array[groupTo] != ':' || groupTo + 1 == to) {
                return false;
            }
            index = groupTo + 1;
            if (array[index] == ':') {
                if (shortened) {
                    return false;
                }
                shortened = true;
                index++;
            }
        }
        return isWhole(groups, shortened);
    }

    private static boolean isWhole(int groups, boolean shortened) {
        return shortened ? groups < GROUPS : groups == GROUPS;
    }

    private static boolean isVersion4(byte[] array, int from, int to) {
        int parts = 0;
        int index = from;
        while (true) {
            int value = 0;
            int partAt = index;
            while (index < to && index - partAt < 3 && Ascii.is(array[index], Ascii.DIGIT)) {
                value = 10 * value + (array[index] - '0');
                index++;
            }
            if (index == partAt || value > 255 || value > 0 && array[partAt] == '0'
                    || value == 0 && index - partAt > 1) {
                return false;
            }
            parts++;
            if (index == to) {
                return parts == 4;
            }
            if (array[index] != '.') {
                return false;
            }
            index++;
        }
    }

    /** Whether {@code [from, to)} is a colon and a port, which RFC 3986 §3.2.3 lets be empty. */
    private static boolean isPort(byte[] array, int from, int to) {
        if (array[from] != ':') {
            return false;
        }
        int port = 0;
        for (int index = from + 1; index < to; index++) {
            if (!Ascii.is(array[index], Ascii.DIGIT)) {
                return false;
            }
            port = 10 * port + (array[index] - '0');
            if (port > PORT_MAX) {
                return false;
            }
        }
        return true;
    }
}
