package m0.views;

import java.util.List;

/**
 * What a path holds in the places that its pattern leaves open, decoded once.
 *
 * <p>A value is never empty, never {@code .} or {@code ..}, and may hold anything else, a slash
 * too.
 *
 * <p>Threads: any; it is immutable.
 */
public final class Captures {
    static final Captures NONE = new Captures(List.of(), new String[0]);

    private final List<String> names;
    private final String[] values;

    Captures(List<String> names, String[] values) {
        this.names = names;
        this.values = values;
    }

    /**
     * The value at the place of that name.
     *
     * @throws IllegalArgumentException if the route's pattern has no such place
     */
    public String text(String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("no place {" + name + "} among " + names);
        }
        return values[index];
    }
}
