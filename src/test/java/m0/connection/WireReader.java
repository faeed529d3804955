package m0.connection;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Reads what a server wrote as a strict client would, as far as it goes: it may have been cut. */
final class WireReader {
    private final String wire;
    private int at;

    private WireReader(byte[] wire) {
        this.wire = new String(wire, StandardCharsets.ISO_8859_1);
    }

    /** Fails where it is no sequence of answers to {@code requests}, "METHOD PATH MINOR" each. */
    static void check(byte[] wire, List<String> requests) {
        new WireReader(wire).answers(requests);
    }

    private void answers(List<String> requests) {
        for (int request = 0; at < wire.length(); request++) {
            expect("HTTP/1.1 ");
            int end = wire.indexOf("\r\n\r\n", at);
            if (end < 0) {
                return;
            }
            String head = wire.substring(at, end + 4).toLowerCase(Locale.ROOT);
            int status = Integer.parseInt(head.substring(9, 12));
            if (request == requests.size() && status >= 400) {
                // To what was no request, such as frames behind a refused handshake: the last.
                check(head.contains("connection: close"), "a refusal that does not close");
                return;
            }
            check(request < requests.size(), "an answer without a request");
            at = end + 4;
            if (status == 101) {
                frames();
                return;
            }
            String asked = requests.get(request);
            if (!(asked.startsWith("HEAD ") && status != 400) && !body(head)) {
                return;
            }
            check(at >= wire.length() || !head.contains("connection: close"),
                    "something behind the last answer");
        }
    }

    /** Passes over a body; false where it was cut, or ends with the connection. */
    private boolean body(String head) {
        if (head.contains("transfer-encoding: chunked")) {
            return chunks();
        }
        int length = head.indexOf("content-length: ");
        if (length < 0) {
            return false;
        }
        at += Integer.parseInt(head.substring(length + 16, head.indexOf("\r\n", length)));
        return at <= wire.length();
    }

    /** Ids of events ascend; each event is a chunk of its own. */
    private boolean chunks() {
        long lastId = 0;
        while (true) {
            int line = wire.indexOf("\r\n", at);
            if (line < 0) {
                return false;
            }
            int size = Integer.parseInt(wire.substring(at, line), 16);
            at = line + 2;
            if (at + size + 2 > wire.length()) {
                return false;
            }
            if (wire.startsWith("id: ", at)) {
                long id = Long.parseLong(wire.substring(at + 4, wire.indexOf('\n', at)));
                check(id > lastId, "id " + id + " behind " + lastId);
                lastId = id;
            }
            at += size;
            expect("\r\n");
            at += 2;
            if (size == 0) {
                return true;
            }
        }
    }

    /** Whole frames of a server, and none behind a close. */
    private void frames() {
        boolean closed = false;
        while (at + 2 <= wire.length()) {
            check(!closed, "a frame behind a close frame");
            check((wire.charAt(at) & 0xf0) == 0x80, "a frame that begins with "
                    + (int) wire.charAt(at));
            int opcode = wire.charAt(at) & 15;
            check(List.of(1, 2, 8, 9, 10).contains(opcode), "opcode " + opcode);
            int length = wire.charAt(at + 1);
            check(length <= 126, "a length of " + length + " in one byte");
            at += 2;
            if (length == 126) {
                if (at + 2 > wire.length()) {
                    return;
                }
                length = wire.charAt(at) << 8 | wire.charAt(at + 1);
                at += 2;
            }
            at += length;
            closed = opcode == 8;
        }
    }

    private void expect(String text) {
        int end = Math.min(wire.length(), at + text.length());
        check(text.startsWith(wire.substring(at, end)), "not \"" + text.strip() + "\" at " + at);
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            int from = Math.max(0, Math.min(at, wire.length()) - 100);
            throw new AssertionError(what + ", at " + at + " of " + wire.length() + ": …"
                    + wire.substring(from, Math.min(wire.length(), at + 60)));
        }
    }
}
