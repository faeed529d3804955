package seen;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the access log, read strictly: these keys in this order, strings as JSON writes them,
 * and no byte that could end the line or steer a terminal. Strings are kept as they were written,
 * escapes and all.
 */
record LogLine(String time, String event, String remote, String method, String target,
        String protocol, int status, long bytes, long durationUs, long waitUs, int loop,
        int thread) {

    private static final String STRING =
            "\"((?:[^\"\\\\\\p{Cntrl}\u0080-\u009f\u2028\u2029]|\\\\[\"\\\\]|\\\\u[0-9a-f]{4})*)\"";
    private static final String NUMBER = "(0|-?[1-9][0-9]*)";
    private static final String TIME =
            "\"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z)\"";
    private static final Pattern LINE = Pattern.compile("\\{\"time\":" + TIME
            + ",\"event\":\"(response|refused)\""
            + ",\"remote\":" + STRING + ",\"method\":" + STRING + ",\"target\":" + STRING
            + ",\"protocol\":" + STRING + ",\"status\":" + NUMBER + ",\"bytes\":" + NUMBER
            + ",\"dur_us\":" + NUMBER + ",\"wait_us\":" + NUMBER + ",\"loop\":" + NUMBER
            + ",\"thread\":" + NUMBER + "\\}");

    /** All lines of a log; anything that is none fails. */
    static List<LogLine> all(String log) {
        List<LogLine> lines = new ArrayList<>();
        if (log.isEmpty()) {
            return lines;
        }
        if (!log.endsWith("\n")) {
            throw new AssertionError("the log ends within a line: "
                    + log.substring(log.lastIndexOf('\n') + 1));
        }
        for (String line : log.substring(0, log.length() - 1).split("\n", -1)) {
            lines.add(read(line));
        }
        return lines;
    }

    private static LogLine read(String text) {
        Matcher line = LINE.matcher(text);
        if (!line.matches()) {
            throw new AssertionError("no line of an access log: <" + text + ">");
        }
        return new LogLine(line.group(1), line.group(2), line.group(3), line.group(4),
                line.group(5), line.group(6), Integer.parseInt(line.group(7)),
                Long.parseLong(line.group(8)), Long.parseLong(line.group(9)),
                Long.parseLong(line.group(10)), Integer.parseInt(line.group(11)),
                Integer.parseInt(line.group(12)));
    }
}
