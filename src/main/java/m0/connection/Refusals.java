package m0.connection;

import m0.http.Response;
import m0.http.parse.ProtocolViolation;

/** The host's own answers, one for each violation, made when the first is needed. */
final class Refusals {
    private static final Response[] ANSWERS = new Response[ProtocolViolation.values().length];

    static {
        for (ProtocolViolation violation : ProtocolViolation.values()) {
            ANSWERS[violation.ordinal()] = Response.status(violation.status())
                    .contentType("text/plain; charset=utf-8")
                    .body(violation.text() + " (" + violation.source() + ")\n").close().build();
        }
    }

    private Refusals() { }

    static Response of(ProtocolViolation violation) {
        return ANSWERS[violation.ordinal()];
    }
}
