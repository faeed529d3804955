package m0.ws;

import m0.http.Response;

/**
 * What becomes of a request for a WebSocket, each with its answer.
 *
 * <p>Who asked for an upgrade and is refused is closed, by the connection where the answer itself
 * does not say so: what it sent behind its request may be frames, which must not be read as
 * requests.
 */
public enum HandshakeVerdict {
    /** 101, which the connection writes. */
    SWITCH(null),
    NOT_GET(Response.status(405).header("Allow", "GET").build()),
    NOT_AN_UPGRADE(upgradeRequired().build()),
    WRONG_VERSION(upgradeRequired().close().build()),
    BAD_KEY(Response.status(400).close().build()),
    ORIGIN_REFUSED(Response.status(403).close().build());

    private final Response response;

    HandshakeVerdict(Response response) {
        this.response = response;
    }

    /** The refusal to send; null for {@link #SWITCH}. */
    public Response response() {
        return response;
    }

    private static Response.Builder upgradeRequired() {
        return Response.status(426).header("Upgrade", "websocket")
                .header("Sec-WebSocket-Version", Handshake.VERSION);
    }
}
