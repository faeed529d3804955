package m0.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.bytes.Ascii;

/** Writes a response's status line and field lines once, and refuses what must not leave. */
final class HeadEncoding {
    private HeadEncoding() { }

    /** Throws where a field line could end early, begin another, or is not RFC 9110 §5's form. */
    static void checkField(String name, String value) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a field name is empty");
        }
        for (int index = 0; index < name.length(); index++) {
            if (!Ascii.is(name.charAt(index), Ascii.TOKEN)) {
                throw new IllegalArgumentException("a field name has a byte that is no token "
                        + "character at " + index);
            }
        }
        for (int index = 0; index < value.length(); index++) {
            char c = value.charAt(index);
            if (c < ' ' && c != '\t' || c == 0x7f) {
                throw new IllegalArgumentException("the value of field " + name
                        + " has a control byte at " + index);
            }
        }
    }

    static byte[] encode(Response response) {
        int status = response.status();
        StringBuilder text = new StringBuilder(128);
        text.append("HTTP/1.1 ").append(status).append(' ').append(Status.reason(status))
                .append("\r\n");
        List<String> fields = response.fields();
        for (int index = 0; index < fields.size(); index += 2) {
            if (!isHosts(fields.get(index), response.body())) {
                line(text, fields.get(index), fields.get(index + 1));
            }
        }
        appendStreamFields(text, response);
        String server = response.field("Server");
        line(text, "Server", server == null ? "m0" : server);
        String length = contentLength(response);
        if (length != null) {
            line(text, "Content-Length", length);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What a stream's client, or a proxy before it, must be told; the application's goes first. */
    private static void appendStreamFields(StringBuilder text, Response response) {
        if (response.body() instanceof Body.Events) {
            lineUnlessSet(text, response, "Content-Type", "text/event-stream");
            lineUnlessSet(text, response, "Cache-Control", "no-cache, no-transform");
            lineUnlessSet(text, response, "X-Accel-Buffering", "no");
        } else if (response.body() instanceof Body.WebSocket webSocket) {
            line(text, "Upgrade", "websocket");
            line(text, "Connection", "Upgrade");
            if (!webSocket.subprotocol().isEmpty()) {
                line(text, "Sec-WebSocket-Protocol", webSocket.subprotocol());
            }
        } else if (response.field("Upgrade") != null) {
            // It is for the next hop alone (RFC 9110 §7.8); whether that closes is a line of its own.
            line(text, "Connection", "Upgrade");
        }
    }

    private static void lineUnlessSet(StringBuilder text, Response response, String name,
            String value) {
        if (response.field(name) == null) {
            line(text, name, value);
        }
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value).append("\r\n");
    }

    /** The length to announce, or null where the status or the body's kind has none. */
    private static String contentLength(Response response) {
        int status = response.status();
        if (status == 304) {
            return ownLength(response);
        }
        if (status == 205) {
            return "0";
        }
        long length = Status.hasContent(status) ? bodyLength(response) : -1;
        return length < 0 ? null : Long.toString(length);
    }

    /** What GET would have had (RFC 9110 §8.6), where the handler said so, and said a number. */
    private static String ownLength(Response response) {
        String length = response.field("Content-Length");
        for (int index = 0; length != null && index < length.length(); index++) {
            if (!Ascii.is(length.charAt(index), Ascii.DIGIT)) {
                return null;
            }
        }
        return length == null || length.isEmpty() ? null : length;
    }

    private static long bodyLength(Response response) {
        Body body = response.body();
        if (body instanceof Body.Bytes bytes) {
            return bytes.length();
        }
        if (body instanceof Body.FileRegion file) {
            return file.length();
        }
        if (body instanceof Body.Chunks chunks) {
            // Of an unknown length there is none to announce.
            return chunks.length();
        }
        return body instanceof Body.None ? 0 : -1;
    }

    /** Whether the host decides about that field; of these only {@code Server} may be named. */
    private static boolean isHosts(String name, Body body) {
        return body instanceof Body.WebSocket && isHandshakes(name)
                || name.equalsIgnoreCase("Content-Length")
                || name.equalsIgnoreCase("Transfer-Encoding")
                || name.equalsIgnoreCase("Connection")
                || name.equalsIgnoreCase("Keep-Alive")
                || name.equalsIgnoreCase("Server")
                || name.equalsIgnoreCase("Date");
    }

    private static boolean isHandshakes(String name) {
        return name.equalsIgnoreCase("Upgrade")
                || name.equalsIgnoreCase("Sec-WebSocket-Accept")
                || name.equalsIgnoreCase("Sec-WebSocket-Protocol");
    }
}
