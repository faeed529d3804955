package m0.http.parse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import m0.http.Limits;

/**
 * Reads the wire cases from {@code src/test/resources/wire/*.md}.
 *
 * <p>A case is a heading of the second level, a block {@code wire} and a block {@code expect}. The
 * wire block is {@link WireText}, its line ends are no input, and {@code ▶} stands before the byte
 * by which it is refused; its info string may set limits ({@code head=64 target=16 body=10}). The
 * expect block begins with one of
 *
 * <pre>
 *   accepted: METHOD TARGET VERSION      and then any of the facts that WireReading tells
 *   refused: VIOLATION STATUS            and then known: METHOD TARGET, where they were read
 *   unfinished
 * </pre>
 *
 * <p>All {@code field:} lines are given, or none.
 */
final class WireCases {
    private static final Path FOLDER = Path.of("src/test/resources/wire");
    private static final String MARK = "▶";

    private WireCases() {
    }

    static List<WireCase> all() {
        try (var files = Files.list(FOLDER)) {
            var cases = new ArrayList<WireCase>();
            for (Path file : files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) {
                read(file, cases);
            }
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Path file, List<WireCase> cases) throws IOException {
        String name = null;
        String info = "";
        var wire = new StringBuilder();
        var expect = new ArrayList<String>();
        String block = null;
        for (String line : Files.readAllLines(file)) {
            if (block == null && line.startsWith("## ")) {
                name = line.substring(3);
                wire.setLength(0);
                expect.clear();
            } else if (block == null && line.startsWith("```")) {
                block = line.substring(3);
                info = block.startsWith("wire") ? block.substring(4).strip() : info;
            } else if (line.equals("```")) {
                if (block.equals("expect")) {
                    cases.add(wireCase(file.getFileName().toString(), name, wire.toString(), info,
                            List.copyOf(expect)));
                }
                block = null;
            } else if (block != null && block.equals("expect")) {
                expect.add(line);
            } else if (block != null) {
                wire.append(line);
            }
        }
    }

    private static WireCase wireCase(String file, String name, String wire, String info,
            List<String> expected) {
        int mark = wire.indexOf(MARK);
        byte[] input = WireText.read(wire.replace(MARK, ""));
        int refusedAt = mark < 0 ? -1 : WireText.read(wire.substring(0, mark)).length;
        var read = new WireCase(file, name, input, refusedAt, limits(info), expected);
        if (expected.isEmpty() || read.isRefused() != (mark >= 0)
                || !read.isRefused() && !read.isAccepted()
                        && !expected.equals(List.of("unfinished"))) {
            throw new IllegalArgumentException(read + " is no case");
        }
        return read;
    }

    static Limits limits(String info) {
        int head = Limits.DEFAULT.headBytesMax();
        int target = Limits.DEFAULT.targetBytesMax();
        int body = Limits.DEFAULT.bodyBytesMax();
        for (String word : info.isEmpty() ? new String[0] : info.split(" ")) {
            int value = Integer.parseInt(word.substring(word.indexOf('=') + 1));
            switch (word.substring(0, word.indexOf('='))) {
                case "head" -> head = value;
                case "target" -> target = value;
                case "body" -> body = value;
                default -> throw new IllegalArgumentException("limit " + word);
            }
        }
        return new Limits(head, target, body);
    }
}
