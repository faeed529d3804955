package m0.views;

import java.nio.charset.StandardCharsets;
import m0.http.Body;
import m0.http.Request;
import m0.http.Response;

/** A state with a face that only reads, for tests. */
final class Toy implements ToyReading {
    private int count;

    @Override
    public int count() {
        return count;
    }

    int add() {
        return ++count;
    }

    static Response said(String text) {
        return Response.text(200, text);
    }

    /** A view that says this. */
    static View<Object> says(String text) {
        Response answer = said(text);
        return (state, request, captures) -> answer;
    }

    static Response counted(ToyReading toy, Request request, Captures captures) {
        return said("count=" + (toy == null ? "of nobody" : toy.count()));
    }

    static Response added(Toy toy, Request request, Captures captures) {
        return said("count=" + toy.add());
    }

    static String text(Response answer) {
        return answer.body() instanceof Body.Bytes bytes ? new String(bytes.array(), bytes.offset(),
                bytes.length(), StandardCharsets.UTF_8) : "";
    }
}
