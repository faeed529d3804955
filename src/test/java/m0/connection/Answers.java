package m0.connection;

import m0.app.AppHandler;
import m0.http.Request;
import m0.http.Response;

/** A handler for tests: names what it was asked, echoes bodies, throws, and counts its calls. */
final class Answers implements AppHandler {
    static final byte[] LARGE = new byte[1_000_000];

    static {
        for (int i = 0; i < LARGE.length; i++) {
            LARGE[i] = (byte) ('a' + i % 23);
        }
    }

    int handled;

    @Override
    public Response handle(Request request) throws Exception {
        handled++;
        if (request.pathIs("/throw")) {
            throw new IllegalStateException("as asked");
        }
        if (request.pathIs("/close")) {
            return Response.status(200).body("bye").close().build();
        }
        if (request.pathIs("/large")) {
            return Response.status(200).body(LARGE).build();
        }
        if (request.pathIs("/echo")) {
            return Response.status(200).body(request.body()).build();
        }
        if (request.pathIs("/null")) {
            return null;
        }
        if (request.pathIs("/s204")) {
            return Response.status(204).body("dropped").build();
        }
        if (request.pathIs("/untold")) {
            return Response.status(200).untold().build();
        }
        return Response.status(200).body(request.path()).build();
    }
}
