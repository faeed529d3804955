package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole programs that the pages for users show. */
class DocumentedProgramsTest {
    private static final Pattern PROGRAM =
            Pattern.compile("```java\\n(import .*?public final class (\\w+) .*?)```", Pattern.DOTALL);

    @TempDir
    private Path classes;

    @Test
    void everyProgramCompiles() throws IOException {
        List<JavaFileObject> programs = new ArrayList<>();
        for (Path page : List.of(Path.of("README.md"), Path.of("docs/applications.md"),
                Path.of("docs/views.md"), Path.of("docs/files.md"))) {
            Matcher program = PROGRAM.matcher(Files.readString(page));
            while (program.find()) {
                programs.add(source(program.group(2), program.group(1)));
            }
        }
        assertTrue(programs.size() >= 3, "programs found: " + programs);
        var problems = new DiagnosticCollector<JavaFileObject>();
        ToolProvider.getSystemJavaCompiler().getTask(null, null, problems, List.of("-d",
                classes.toString(), "-cp", System.getProperty("java.class.path"), "-Xlint:all",
                "-proc:none"), null, programs).call();
        assertEquals(List.of(), problems.getDiagnostics());
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"),
                JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
