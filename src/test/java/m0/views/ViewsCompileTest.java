package m0.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the compiler makes of views that read and of views that write. */
class ViewsCompileTest {
    private static final String PROGRAM = """
            import m0.http.Method;
            import m0.http.Request;
            import m0.http.Response;
            import m0.views.Captures;
            import %s;

            final class Program {
                interface Reading {
                    int count();
                }

                static final class Counter implements Reading {
                    private int count;

                    public int count() {
                        return count;
                    }

                    void add() {
                        count++;
                    }
                }

                static Response writes(Counter counter, Request request, Captures captures) {
                    counter.add();
                    return Response.empty(204);
                }

                static Response reads(Reading counter, Request request, Captures captures) {
                    return Response.text(200, "" + counter.count());
                }

                static final Views<Reading, Counter> VIEWS = new Views<Reading, Counter>()
                        .%s;
            }
            """;
    private static final String LAMBDA = "(counter, request, captures) -> {"
            + " counter.add(); return Response.empty(204); }";

    @TempDir
    private Path classes;

    /** The errors of a program that registers a route so; empty where it compiles. */
    private List<String> errors(String registration) {
        String text = PROGRAM.formatted(Views.class.getName(), registration);
        var source = new SimpleJavaFileObject(URI.create("string:///Program.java"),
                JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        var said = new DiagnosticCollector<JavaFileObject>();
        ToolProvider.getSystemJavaCompiler().getTask(null, null, said, List.of("-d",
                classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none"),
                null, List.of(source)).call();
        return said.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> each.getMessage(null)).toList();
    }

    private void assertDoesNotCompile(String registration, String words) {
        List<String> errors = errors(registration);
        assertFalse(errors.isEmpty(), "a view that writes was taken as one that reads: "
                + registration);
        assertTrue(errors.get(0).contains(words), errors.get(0));
    }

    @Test
    void aReadViewThatWritesDoesNotCompile() {
        for (String add : List.of("addRead", "addReadOnLoop")) {
            assertDoesNotCompile(add + "(\"a\", Method.POST, \"/a\", " + LAMBDA + ")", "add()");
            assertDoesNotCompile(add + "(\"a\", Method.POST, \"/a\", Program::writes)",
                    "method reference");
        }
        assertDoesNotCompile("setNotFound(" + LAMBDA + ")", "add()");
    }

    @Test
    void aLoopViewHasNoStateToWriteTo() {
        assertDoesNotCompile("addLoop(\"a\", Method.POST, \"/a\", " + LAMBDA + ")", "lambda");
    }

    @Test
    void theSameAsAWriteViewDoes() {
        for (String add : List.of("addWrite", "addWriteOnLoop")) {
            for (String view : List.of(LAMBDA, "Program::writes", "Program::reads")) {
                assertEquals(List.of(),
                        errors(add + "(\"a\", Method.POST, \"/a\", " + view + ")"), view);
            }
        }
        assertEquals(List.of(), errors("addRead(\"a\", Method.GET, \"/a\", Program::reads)"));
    }
}
