package m0.serve;

import m0.app.App;
import m0.bytes.Span;

/**
 * An application under a prefix.
 *
 * @param prefix begins with a slash and does not end with one
 * @param name what the settings call the application
 */
record Mount(String prefix, String name, App app) {
    /** Whether that path, escapes and all, is the prefix or lies below it. */
    boolean has(Span rawPath) {
        int end = prefix.length();
        if (rawPath.length() < end) {
            return false;
        }
        byte[] bytes = rawPath.array();
        int offset = rawPath.offset();
        for (int index = 0; index < end; index++) {
            if (bytes[offset + index] != prefix.charAt(index)) {
                return false;
            }
        }
        return rawPath.length() == end || bytes[offset + end] == '/';
    }

    /** As the settings have it. */
    @Override
    public String toString() {
        return prefix + '=' + name;
    }
}
