package m0.serve;

import com.sun.net.httpserver.Headers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import m0.http.Request;

/**
 * A request's field lines as the JDK shows them: names in its own letter case, the values of repeated
 * lines in their order, and nothing to be changed.
 *
 * <p>Threads: any, once made.
 */
final class RequestFields extends Headers {
    private boolean whole;

    RequestFields(Request request) {
        for (int index = 0; index < request.fieldCount(); index++) {
            String name = request.fieldName(index);
            String value = request.fieldValue(index);
            List<String> before = get(name);
            put(name, before == null ? List.of(value) : with(before, value));
        }
        whole = true;
    }

    private static List<String> with(List<String> before, String value) {
        List<String> values = new ArrayList<>(before);
        values.add(value);
        return Collections.unmodifiableList(values);
    }

    private UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("a request's fields are as they came");
    }

    @Override
    public List<String> put(String key, List<String> value) {
        if (whole) {
            throw refusal();
        }
        return super.put(key, value);
    }

    @Override
    public void add(String key, String value) {
        throw refusal();
    }

    @Override
    public void set(String key, String value) {
        throw refusal();
    }

    @Override
    public List<String> remove(Object key) {
        throw refusal();
    }

    @Override
    public void putAll(Map<? extends String, ? extends List<String>> other) {
        throw refusal();
    }

    @Override
    public void clear() {
        throw refusal();
    }

    @Override
    public void replaceAll(
            BiFunction<? super String, ? super List<String>, ? extends List<String>> function) {
        throw refusal();
    }

    @Override
    public Set<String> keySet() {
        return Collections.unmodifiableSet(super.keySet());
    }

    @Override
    public Collection<List<String>> values() {
        return Collections.unmodifiableCollection(super.values());
    }

    /** Copies: an entry of a map writes through to it. */
    @Override
    public Set<Map.Entry<String, List<String>>> entrySet() {
        Set<Map.Entry<String, List<String>>> entries = new LinkedHashSet<>();
        for (Map.Entry<String, List<String>> each : super.entrySet()) {
            entries.add(Map.entry(each.getKey(), each.getValue()));
        }
        return Collections.unmodifiableSet(entries);
    }
}
