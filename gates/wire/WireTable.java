package wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Inputs and the status each is to get, as rows of a Markdown table: row id and name, status,
 * bytes.
 *
 * <p>The bytes stand between backticks, printable ones as they are; {@code \r \n \t \0 \\ \xHH}
 * stand for the others, and {@code \{N:text\}} for N times {@code text}.
 */
final class WireTable {

    private static final Path FOLDER = Path.of("gates", "wire");

    /** One row; a character of {@code bytes} is a byte. */
    record Row(String name, int status, String bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    private WireTable() {
    }

    /** The rows of a table, {@code rowsMin} at least: one that is half read proves nothing. */
    static List<Row> read(String file, int rowsMin) {
        List<Row> rows = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(FOLDER.resolve(file), StandardCharsets.UTF_8)) {
                if (line.startsWith("| ") && line.endsWith("` |")) {
                    rows.add(row(line));
                }
            }
        } catch (IOException failure) {
            throw new AssertionError("table " + file + ": " + failure, failure);
        }
        if (rows.size() < rowsMin) {
            throw new AssertionError(file + " has " + rows.size() + " rows");
        }
        return rows;
    }

    private static Row row(String line) {
        int nameEnd = line.indexOf(" | ");
        int statusEnd = line.indexOf(" | ", nameEnd + 3);
        int bytes = line.indexOf('`');
        return new Row(line.substring(2, nameEnd).strip(),
                Integer.parseInt(line.substring(nameEnd + 3, statusEnd).strip()),
                unescaped(line.substring(bytes + 1, line.length() - "` |".length())));
    }

    private static String unescaped(String text) {
        StringBuilder bytes = new StringBuilder();
        int index = 0;
        while (index < text.length()) {
            char each = text.charAt(index++);
            if (each != '\\') {
                bytes.append(each);
                continue;
            }
            char kind = text.charAt(index++);
            switch (kind) {
                case 'r' -> bytes.append('\r');
                case 'n' -> bytes.append('\n');
                case 't' -> bytes.append('\t');
                case '0' -> bytes.append('\0');
                case '\\' -> bytes.append('\\');
                case 'x' -> {
                    bytes.append((char) Integer.parseInt(text.substring(index, index + 2), 16));
                    index += 2;
                }
                case '{' -> {
                    int colon = text.indexOf(':', index);
                    int end = text.indexOf("\\}", colon);
                    String repeated = unescaped(text.substring(colon + 1, end));
                    int times = Integer.parseInt(text.substring(index, colon));
                    bytes.append(repeated.repeat(times));
                    index = end + 2;
                }
                default -> throw new AssertionError("\\" + kind + " in <" + text + ">");
            }
        }
        return bytes.toString();
    }
}
