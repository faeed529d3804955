package load;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Fetches one answer whole, as the bytes that came. */
public final class OneAnswer {
    private static final int TIMEOUT_MS = 20_000;
    private static final int HEAD_BYTES_MAX = 16 * 1024;

    private OneAnswer() {
    }

    /** Over a connection of its own: the bytes of one answer, its head, and as much body as its Content-Length says. */
    public static byte[] fetch(InetSocketAddress server, byte[] request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(server, TIMEOUT_MS);
            return fetch(socket, request);
        }
    }

    /** The same over a connection that is there already and stays. */
    public static byte[] fetch(Socket socket, byte[] request) throws IOException {
        socket.setSoTimeout(TIMEOUT_MS);
        socket.getOutputStream().write(request);
        return readAnswer(socket.getInputStream());
    }

    private static byte[] readAnswer(InputStream in) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        String head = "";
        while (!head.endsWith("\r\n\r\n")) {
            if (answer.size() == HEAD_BYTES_MAX) {
                throw new IOException("no blank line in " + HEAD_BYTES_MAX + " bytes");
            }
            answer.write(readByte(in));
            head = answer.toString(StandardCharsets.ISO_8859_1);
        }
        int bodyBytes = bodyBytes(head);
        byte[] body = in.readNBytes(bodyBytes);
        if (body.length < bodyBytes) {
            throw new EOFException("body ended after " + body.length + " of " + bodyBytes);
        }
        answer.write(body);
        return answer.toByteArray();
    }

    private static int readByte(InputStream in) throws IOException {
        int value = in.read();
        if (value < 0) {
            throw new EOFException("closed within the head");
        }
        return value;
    }

    private static int bodyBytes(String head) throws IOException {
        if (!head.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("not a 200: " + head);
        }
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                return Integer.parseInt(line.substring(line.indexOf(':') + 1).trim());
            }
        }
        throw new IOException("no Content-Length: " + head);
    }
}
