package m0.http;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes a response's status line and field lines once, and refuses what must not leave. */
final class HeadEncoding {
    private HeadEncoding() { }

    /** Throws where a field line could end early, begin another, or is not RFC 9110 §5's form. */
    static void checkField(String name, String value) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a field name is empty");
        }
        for (int index = 0; index < name.length(); index++) {
            if (!isToken(name.charAt(index))) {
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
        boolean serverNamed = false;
        for (int index = 0; index < fields.size(); index += 2) {
            String name = fields.get(index);
            if (isHosts(name, status)) {
                continue;
            }
            if (name.equalsIgnoreCase("Server")) {
                if (serverNamed) {
                    continue;
                }
                serverNamed = true;
            }
            text.append(name).append(": ").append(fields.get(index + 1)).append("\r\n");
        }
        if (!serverNamed) {
            text.append("Server: m0\r\n");
        }
        long length = contentLength(response);
        if (length >= 0) {
            text.append("Content-Length: ").append(length).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The length to announce, or −1 where the status or the body's kind has none. */
    private static long contentLength(Response response) {
        if (!Status.hasContent(response.status())) {
            return -1;
        }
        Body body = response.body();
        if (body instanceof Body.Bytes bytes) {
            return bytes.length();
        }
        if (body instanceof Body.FileRegion file) {
            return file.length();
        }
        return body instanceof Body.None ? 0 : -1;
    }

    /** Whether the host alone decides about that field. */
    private static boolean isHosts(String name, int status) {
        return name.equalsIgnoreCase("Content-Length") && status != 304
                || name.equalsIgnoreCase("Transfer-Encoding")
                || name.equalsIgnoreCase("Connection")
                || name.equalsIgnoreCase("Keep-Alive")
                || name.equalsIgnoreCase("Date");
    }

    private static boolean isToken(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }
}
