package m0.http;

/** The request methods of RFC 9110 §9 and RFC 5789; any other token is {@link #OTHER}. */
public enum Method {
    GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS, TRACE, CONNECT,
    /** A method the host does not know by name; {@link Request#methodName()} has it. */
    OTHER
}
