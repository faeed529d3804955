import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Reads what one run of surefire and failsafe wrote, for {@code .ci/run}.
 *
 * <p>Prints {@code COUNT passed failed skipped}, then {@code FAILED class#method: message} for each
 * test that failed, with the first line of what it said, and {@code TOOK seconds class} for each
 * class. A directory without a test that ran is a failure, and so is a run that ended with another
 * code than 0 where no failure says why.
 *
 * <p>Arguments: the exit code of the run, the directories it wrote. Runs from its source.
 */
final class Reports {
    private static final int MESSAGE_LENGTH_MAX = 200;

    private final List<String> failures = new ArrayList<>();
    private final Map<String, Double> secondsByClass = new TreeMap<>();
    private int passed;
    private int skipped;

    private Reports() {
    }

    public static void main(String[] arguments) throws Exception {
        var reports = new Reports();
        for (String directory : List.of(arguments).subList(1, arguments.length)) {
            reports.readAll(Path.of(directory));
        }
        if (!arguments[0].equals("0") && reports.failures.isEmpty()) {
            reports.failures.add("ended with " + arguments[0] + ", and no failed test says why");
        }
        reports.print();
    }

    private void readAll(Path directory) throws IOException {
        int before = passed + failures.size();
        if (Files.isDirectory(directory)) {
            try (var files = Files.list(directory)) {
                for (Path file : files.filter(Reports::isReport).sorted().toList()) {
                    read(file);
                }
            }
        }
        if (passed + failures.size() == before) {
            failures.add(directory + ": no test ran");
        }
    }

    private static boolean isReport(Path file) {
        return file.getFileName().toString().matches("TEST-.*\\.xml");
    }

    private void read(Path file) throws IOException {
        NodeList cases;
        try {
            DocumentBuilder builder =
                    DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler());
            cases = builder.parse(file.toFile()).getElementsByTagName("testcase");
        } catch (SAXException | ParserConfigurationException bad) {
            // A JVM that was killed leaves half a report.
            failures.add(file.getFileName() + ": " + firstLine(bad.toString()));
            return;
        }
        for (int i = 0; i < cases.getLength(); i++) {
            test((Element) cases.item(i));
        }
    }

    private void test(Element test) {
        String owner = test.getAttribute("classname");
        secondsByClass.merge(owner, seconds(test.getAttribute("time")), Double::sum);
        for (String outcome : new String[] {"failure", "error"}) {
            NodeList said = test.getElementsByTagName(outcome);
            if (said.getLength() > 0) {
                failures.add(owner + "#" + test.getAttribute("name") + ": "
                        + message((Element) said.item(0)));
                return;
            }
        }
        if (test.getElementsByTagName("skipped").getLength() > 0) {
            skipped++;
        } else {
            passed++;
        }
    }

    private static double seconds(String time) {
        return time.isEmpty() ? 0 : Double.parseDouble(time.replace(",", ""));
    }

    private static String message(Element said) {
        String message = said.getAttribute("message").strip();
        return firstLine(message.isEmpty() ? said.getTextContent().strip() : message);
    }

    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= MESSAGE_LENGTH_MAX
                ? line : line.substring(0, MESSAGE_LENGTH_MAX) + "…";
    }

    private void print() {
        System.out.println("COUNT " + passed + " " + failures.size() + " " + skipped);
        failures.forEach(failure -> System.out.println("FAILED " + failure));
        secondsByClass.forEach((owner, seconds) -> System.out.println(
                String.format(Locale.ROOT, "TOOK %.1f %s", seconds, owner)));
    }
}
