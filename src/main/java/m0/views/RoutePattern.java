package m0.views;

import java.util.ArrayList;
import java.util.List;
import m0.http.UriCoding;

/**
 * The paths of a route: segments that stand as they are, and places, written {@code {name}}, each
 * for one segment. {@code /} has no segments.
 *
 * <p>Threads: any; it is immutable. Limits: {@value #SEGMENTS_MAX} segments. Errors: what is no
 * pattern is an {@code IllegalArgumentException}, and so is a value that no path could bring.
 */
final class RoutePattern {
    static final int SEGMENTS_MAX = 32;

    private final String text;
    private final List<String> segments;
    /** The names of the places, in their order. */
    private final List<String> names = new ArrayList<>();

    RoutePattern(String text) {
        this.text = text;
        if (!text.startsWith("/")) {
            throw refused("it begins with no slash");
        }
        segments = text.length() == 1 ? List.of() : List.of(text.substring(1).split("/", -1));
        if (segments.size() > SEGMENTS_MAX) {
            throw refused("it has more than " + SEGMENTS_MAX + " segments");
        }
        segments.forEach(this::checkSegment);
    }

    private void checkSegment(String segment) {
        if (isPlace(segment)) {
            String name = nameOf(segment);
            if (!name.matches("[A-Za-z][A-Za-z0-9_]*")) {
                throw refused("{" + name + "} is no name");
            }
            if (names.contains(name)) {
                throw refused("{" + name + "} occurs twice");
            }
            names.add(name);
        } else if (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0) {
            throw refused("a place is a whole segment");
        } else if (segment.isEmpty() || isDots(segment)) {
            throw refused("no path has the segment \"" + segment + "\"");
        } else {
            UriCoding.encode(segment);
        }
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("\"" + text + "\" is no pattern: " + why);
    }

    static boolean isPlace(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    private static String nameOf(String place) {
        return place.substring(1, place.length() - 1);
    }

    private static boolean isDots(String segment) {
        return segment.equals(".") || segment.equals("..");
    }

    List<String> segments() {
        return segments;
    }

    /**
     * What a path that leads here holds in the places.
     *
     * @param from the path's first slash, or {@code to}
     * @return null where one of them is malformed
     */
    Captures captures(byte[] array, int from, int to) {
        if (names.isEmpty()) {
            return Captures.NONE;
        }
        String[] values = new String[names.size()];
        int count = 0;
        int at = from;
        for (String segment : segments) {
            int end = PathSegment.end(array, at + 1, to);
            if (isPlace(segment)) {
                String value = UriCoding.decode(array, at + 1, end, false);
                if (value == null) {
                    return null;
                }
                values[count++] = value;
            }
            at = end;
        }
        return new Captures(names, values);
    }

    /** The path with these values in its places; {@link #captures} finds them there again. */
    String path(String... values) {
        if (values.length != names.size()) {
            throw new IllegalArgumentException(text + " has " + names.size() + " places, and "
                    + values.length + " values were given");
        }
        if (segments.isEmpty()) {
            return "/";
        }
        var path = new StringBuilder(text.length() + 16);
        int count = 0;
        for (String segment : segments) {
            path.append('/').append(UriCoding.encode(
                    isPlace(segment) ? value(nameOf(segment), values[count++]) : segment));
        }
        return path.toString();
    }

    private String value(String name, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the value of {" + name + "} in " + text
                    + " is empty");
        }
        // Browsers resolve these away, escaped or not, before they ask.
        if (isDots(value)) {
            throw new IllegalArgumentException("no link can lead to {" + name + "} = \"" + value
                    + "\" in " + text);
        }
        return value;
    }

    @Override
    public String toString() {
        return text;
    }
}
