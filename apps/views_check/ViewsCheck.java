package views_check;

import java.util.ArrayList;
import java.util.List;
import m0.http.Form;
import m0.http.Method;
import m0.http.ProblemException;
import m0.http.Request;
import m0.http.Response;
import m0.views.Captures;
import m0.views.View;
import m0.views.Views;
import m0.views.ViewsApp;

/**
 * The routes.
 *
 * <pre>
 * GET, POST /echo/{value}       the value, in brackets
 * GET /link?value=V             the path of /echo/{value} for that V, or 400 where there is none
 * GET /pair/{one}/and/{two}     both values
 * GET /first/{any}, then GET and DELETE /first/this   which of the two it is
 * GET /own and HEAD /own        X-View says which view it was
 * GET /count, /count-on-loop    who answered, and how often so far
 * GET /throws, /throws-on-loop  throw
 * POST /form                    its fields, a line each
 * </pre>
 */
public final class ViewsCheck extends ViewsApp<Counted, Counted> {
    public ViewsCheck() {
        super(table(), Counted::new);
    }

    private static Views<Counted, Counted> table() {
        return new Views<Counted, Counted>()
                .addRead("echo", Method.GET, "/echo/{value}", ViewsCheck::echo)
                .addRead("echo", Method.POST, "/echo/{value}", ViewsCheck::echo)
                .addRead("link", Method.GET, "/link", ViewsCheck::link)
                .addRead("pair", Method.GET, "/pair/{one}/and/{two}", ViewsCheck::pair)
                .addRead("any", Method.GET, "/first/{any}", named("any"))
                .addRead("this", Method.GET, "/first/this", named("this"))
                .addRead("this", Method.DELETE, "/first/this", named("this"))
                .addRead("own", Method.GET, "/own", named("get"))
                .addRead("own", Method.HEAD, "/own", named("head"))
                .addWrite("count", Method.GET, "/count", ViewsCheck::count)
                .addWriteOnLoop("count-on-loop", Method.GET, "/count-on-loop", ViewsCheck::count)
                .addRead("throws", Method.GET, "/throws", ViewsCheck::fail)
                .addReadOnLoop("throws-on-loop", Method.GET, "/throws-on-loop", ViewsCheck::fail)
                .addRead("form", Method.POST, "/form", ViewsCheck::form);
    }

    private static Response echo(Counted state, Request request, Captures captures) {
        return Response.text(200, "[" + captures.text("value") + "]");
    }

    private static Response link(Counted state, Request request, Captures captures)
            throws ProblemException {
        try {
            return Response.text(200, state.at().urlFor("echo",
                    Form.query(request).text("value", "")));
        } catch (IllegalArgumentException noLink) {
            throw new ProblemException(400, noLink.getMessage());
        }
    }

    private static Response pair(Counted state, Request request, Captures captures) {
        return Response.text(200, captures.text("one") + " and " + captures.text("two"));
    }

    private static View<Counted> named(String name) {
        Response answer = Response.status(200).header("X-View", name)
                .contentType("text/plain; charset=utf-8").body(name).build();
        return (state, request, captures) -> answer;
    }

    private static Response count(Counted state, Request request, Captures captures) {
        return Response.text(200, state.count());
    }

    private static Response fail(Counted state, Request request, Captures captures) {
        throw new IllegalStateException("asked to throw");
    }

    private static Response form(Counted state, Request request, Captures captures)
            throws ProblemException {
        Form form = Form.body(request);
        List<String> lines = new ArrayList<>();
        for (String name : form.names()) {
            lines.add(name + "=" + String.join(",", form.all(name)));
        }
        return Response.text(200, String.join("\n", lines));
    }
}
