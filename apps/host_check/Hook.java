package host_check;

/** The methods of a handler that a host calls, by the names they have there. */
enum Hook {
    BEFORE_REQUEST("beforeRequest"),
    HANDLE("handle"),
    AFTER_RESPONSE("afterResponse"),
    TICK("tick"),
    STREAM_OPENED("streamOpened"),
    STREAM_CLOSED("streamClosed"),
    WEB_SOCKET_MESSAGE("webSocketMessage"),
    WEB_SOCKET_CLOSED("webSocketClosed"),
    PEER_FRAME("peerFrame"),
    CLOSE("close");

    private final String label;

    Hook(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
