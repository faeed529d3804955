package m0.http.parse;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import m0.http.Limits;

/**
 * A second opinion on what is a whole request: the grammar written down again, with regular
 * expressions, for an input that is there as a whole. It shares no code with the parser.
 *
 * <p>It tells only whether there is a request, where it ends and what its body is; anything else is
 * null, be it refused or unfinished.
 */
final class ReferenceReader {
    /** Where a request ends, and the octets of its body as ISO 8859-1. */
    record Message(int end, String body) {
    }

    private static final String TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
    private static final String ESCAPED = "(?:[^%]|%[0-9A-Fa-f]{2})*+";
    private static final Pattern REQUEST_LINE =
            Pattern.compile("(" + TOKEN + ") ([\\x21\\x22\\x24-\\x7e]+) HTTP/1\\.([0-9])");
    private static final Pattern ORIGIN = Pattern.compile("(/[^?]*+)(?:\\?.*)?");
    private static final Pattern ABSOLUTE =
            Pattern.compile("(?i:https?)://([^/?]*+)([^?]*+)(?:\\?.*)?");
    private static final Pattern FIELD =
            Pattern.compile("(" + TOKEN + "):([\\t\\x20-\\x7e\\x80-\\xff]*+)");
    private static final Pattern AUTHORITY = Pattern.compile("(?:\\[([^\\]]*+)\\]"
            + "|(?:[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})++)(?::([0-9]*+))?");
    private static final Pattern OCTET = Pattern.compile("0|[1-9][0-9]{0,2}");
    private static final Pattern CODING =
            Pattern.compile("[ \\t]*(" + TOKEN + ")[ \\t]*");
    private static final Pattern CHUNK_LINE =
            Pattern.compile("0*+([0-9A-Fa-f]{0,15})((?:;[\\t\\x20-\\x7e\\x80-\\xff]*+)?)");

    private final String input;
    private final Limits limits;
    private int at;

    private ReferenceReader(byte[] input, Limits limits) {
        this.input = new String(input, StandardCharsets.ISO_8859_1);
        this.limits = limits;
    }

    static Message read(byte[] input, Limits limits) {
        return new ReferenceReader(input, limits).read();
    }

    private Message read() {
        for (int empty = 0; empty < 4 && input.startsWith("\r\n", at); empty++) {
            at += 2;
        }
        int headAt = at;
        var lines = new ArrayList<String>();
        for (String line = line(); line == null || !line.isEmpty(); line = line()) {
            if (line == null) {
                return null;
            }
            lines.add(line);
        }
        if (at - headAt > limits.headBytesMax() || lines.isEmpty()) {
            return null;
        }
        Matcher request = REQUEST_LINE.matcher(lines.remove(0));
        return request.matches() && lines.size() <= 100
                ? body(request.group(1), request.group(2), request.group(3), lines) : null;
    }

    /** The next line, without its CRLF; null if there is none or it holds a lone CR or LF. */
    private String line() {
        int end = input.indexOf("\r\n", at);
        if (end < 0) {
            return null;
        }
        String line = input.substring(at, end);
        at = end + 2;
        return line.indexOf('\r') < 0 && line.indexOf('\n') < 0 ? line : null;
    }

    private Message body(String method, String target, String minor, List<String> lines) {
        var values = new Object() {
            final List<String> host = new ArrayList<>();
            final List<String> length = new ArrayList<>();
            final List<String> coding = new ArrayList<>();
            final List<String> expect = new ArrayList<>();
        };
        for (String line : lines) {
            Matcher field = FIELD.matcher(line);
            if (!field.matches()) {
                return null;
            }
            String value = field.group(2).replaceAll("^[ \\t]+|[ \\t]+$", "");
            switch (field.group(1).toLowerCase(Locale.ROOT)) {
                case "host" -> values.host.add(value);
                case "content-length" -> values.length.add(value);
                case "transfer-encoding" -> values.coding.add(value);
                case "expect" -> values.expect.add(value);
                default -> { }
            }
        }
        boolean old = minor.equals("0");
        Matcher absolute = ABSOLUTE.matcher(target);
        if (!isTarget(method, target, absolute) || target.length() > limits.targetBytesMax()
                || !isHost(values.host, old, absolute.matches())
                || !old && !values.expect.stream().allMatch(ReferenceReader::isExpectation)
                || values.length.size() + values.coding.size() > 1) {
            return null;
        }
        if (!values.coding.isEmpty()) {
            Matcher coding = CODING.matcher(values.coding.get(0));
            return coding.matches() && coding.group(1).equalsIgnoreCase("chunked")
                    ? chunks() : null;
        }
        return values.length.isEmpty() ? new Message(at, "") : known(values.length.get(0));
    }

    private static boolean isTarget(String method, String target, Matcher absolute) {
        if (method.equals("CONNECT")) {
            return false;
        }
        if (absolute.matches()) {
            return isAuthority(absolute.group(1)) && absolute.group(2).matches(ESCAPED);
        }
        Matcher origin = ORIGIN.matcher(target);
        return origin.matches() ? origin.group(1).matches(ESCAPED)
                : target.equals("*") && method.equals("OPTIONS");
    }

    private static boolean isHost(List<String> hosts, boolean old, boolean absolute) {
        if (hosts.isEmpty()) {
            return old;
        }
        return hosts.size() == 1
                && (isAuthority(hosts.get(0)) || hosts.get(0).isEmpty() && !absolute);
    }

    private static boolean isAuthority(String text) {
        Matcher authority = AUTHORITY.matcher(text);
        if (!authority.matches()) {
            return false;
        }
        String port = authority.group(2);
        boolean served = port == null || port.isEmpty()
                || new BigInteger(port).bitLength() <= 16;
        return served && (authority.group(1) == null || isVersion6(authority.group(1)));
    }

    private static boolean isVersion6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text, true) == 8;
        }
        String before = text.substring(0, gap);
        String after = text.substring(gap + 2);
        int left = before.isEmpty() ? 0 : groups(before, false);
        int right = after.isEmpty() ? 0 : groups(after, true);
        return left >= 0 && right >= 0 && left + right <= 7;
    }

    private static int groups(String text, boolean last) {
        String[] parts = text.split(":", -1);
        int count = 0;
        for (int index = 0; index < parts.length; index++) {
            if (parts[index].matches("[0-9A-Fa-f]{1,4}")) {
                count++;
            } else if (last && index == parts.length - 1 && isVersion4(parts[index])) {
                count += 2;
            } else {
                return -1;
            }
        }
        return count;
    }

    private static boolean isVersion4(String text) {
        String[] octets = text.split("\\.", -1);
        for (String octet : octets) {
            if (!OCTET.matcher(octet).matches() || Integer.parseInt(octet) > 255) {
                return false;
            }
        }
        return octets.length == 4;
    }

    private static boolean isExpectation(String value) {
        return value.matches("(?i)|[ \\t]*100-continue[ \\t]*(,[ \\t]*100-continue[ \\t]*)*+,?");
    }

    private Message known(String length) {
        if (!length.matches("[0-9]{1,18}") || Long.parseLong(length) > limits.bodyBytesMax()) {
            return null;
        }
        int end = at + (int) Long.parseLong(length);
        return end <= input.length() ? new Message(end, input.substring(at, end)) : null;
    }

    private Message chunks() {
        var body = new StringBuilder();
        int overhead = 0;
        int from = at;
        while (true) {
            String line = line();
            Matcher chunk = line == null ? null : CHUNK_LINE.matcher(line);
            if (chunk == null || !chunk.matches() || line.isEmpty() || line.startsWith(";")) {
                return null;
            }
            overhead += chunk.group(2).length();
            long size = chunk.group(1).isEmpty() ? 0 : Long.parseLong(chunk.group(1), 16);
            if (size == 0) {
                break;
            }
            if (body.length() + size > limits.bodyBytesMax() || at + size > input.length()) {
                return null;
            }
            body.append(input, at, at + (int) size);
            at += (int) size;
            if (!input.startsWith("\r\n", at)) {
                return null;
            }
            at += 2;
        }
        for (String line = line(); line == null || !line.isEmpty(); line = line()) {
            if (line == null || !FIELD.matcher(line).matches()) {
                return null;
            }
            overhead += line.length() + 2;
        }
        boolean bounded = overhead <= 8192
                && at - from - overhead <= 2L * limits.bodyBytesMax() + 5;
        return bounded ? new Message(at, body.toString()) : null;
    }
}
