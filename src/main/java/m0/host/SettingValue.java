package m0.host;

import m0.ws.Origins;

/**
 * One value as it was read: the text, and the number it stands for where it is one.
 *
 * <p>Threads: any; it is immutable.
 */
final class SettingValue {
    /** {@code M0_BLOCKING_THREADS=virtual}, as a number. */
    static final long VIRTUAL = -1;
    static final String VIRTUAL_TEXT = "virtual";

    /** Digits of a number that is read at all: the longest that cannot overflow. */
    private static final int DIGITS_MAX = 18;
    private static final long UNREADABLE = Long.MIN_VALUE;

    private final String text;
    private final long number;

    private SettingValue(String text, long number) {
        this.text = text;
        this.number = number;
    }

    /** Reads {@code text} as that setting's kind of value; null if it cannot be read. */
    static SettingValue read(Setting setting, String text) {
        long number = switch (setting.kind()) {
            case TEXT, LIST -> 0;
            case ORIGINS -> text == null ? 0 : origins(text);
            case COUNT -> whole(text, text.length());
            case NUMBER, BIT -> within(setting, whole(text, text.length()));
            case POOL -> text.equals(VIRTUAL_TEXT)
                    ? VIRTUAL : within(setting, whole(text, text.length()));
            case SIZE -> within(setting, size(text));
            case SWITCH -> onOrOff(text);
        };
        return number == UNREADABLE ? null : new SettingValue(text, number);
    }

    private static long origins(String text) {
        try {
            Origins.ofList(text);
            return 0;
        } catch (IllegalArgumentException notAnOrigin) {
            return UNREADABLE;
        }
    }

    private static long within(Setting setting, long number) {
        return number >= setting.min() && number <= setting.max() ? number : UNREADABLE;
    }

    /** Whether that text is a whole number from {@code min} to {@code max}. */
    static boolean isWithin(String text, long min, long max) {
        long number = whole(text, text.length());
        return number >= min && number <= max;
    }

    /** Decimal digits, with a hyphen before them for less than zero. */
    private static long whole(String text, int length) {
        boolean negative = length > 0 && text.charAt(0) == '-';
        int first = negative ? 1 : 0;
        if (length == first || length - first > DIGITS_MAX) {
            return UNREADABLE;
        }
        long number = 0;
        for (int index = first; index < length; index++) {
            char digit = text.charAt(index);
            if (digit < '0' || digit > '9') {
                return UNREADABLE;
            }
            number = number * 10 + (digit - '0');
        }
        return negative ? -number : number;
    }

    private static long size(String text) {
        int last = text.length() - 1;
        int shift = text.endsWith("k") ? 10 : text.endsWith("m") ? 20 : 0;
        long number = whole(text, shift == 0 ? text.length() : last);
        return number == UNREADABLE || number > Long.MAX_VALUE >> shift
                ? UNREADABLE : number << shift;
    }

    private static long onOrOff(String text) {
        if (text.equals("1") || text.equals("true")) {
            return 1;
        }
        return text.equals("0") || text.equals("false") ? 0 : UNREADABLE;
    }

    /** A number of bytes as an operator would write it. */
    static String sizeText(long bytes) {
        if (bytes > 0 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + "m";
        }
        return bytes > 0 && bytes % 1024 == 0 ? (bytes >> 10) + "k" : Long.toString(bytes);
    }

    String text() {
        return text;
    }

    /** The number it stands for; 0 where it is text, 1 or 0 for on and off. */
    long number() {
        return number;
    }
}
