package harness;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A JVM's main: runs one test method and writes how it went, or one after another for as long as it
 * is asked to.
 *
 * <p>{@code found} counts what ran under the method (a factory's cases each), {@code failed} what
 * failed there, {@code elsewhere} what failed around it, {@code skipped} what did not run.
 * {@code text} is what the failures say, each under the name it is displayed by.
 */
public final class OneMethod implements TestExecutionListener {
    private final StringBuilder text = new StringBuilder();
    private int found;
    private int failed;
    private int elsewhere;
    private int skipped;

    private OneMethod() {
    }

    /**
     * Arguments: class, method, the file for the result. Without any, each line on standard input
     * is a request: class, method, the file for the result, the mutant's directory and classes,
     * with tabs between them.
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 0) {
            answer(arguments[0], arguments[1], Path.of(arguments[2]));
        } else {
            var requests = new BufferedReader(
                    new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String request = requests.readLine(); request != null;
                    request = requests.readLine()) {
                String[] parts = request.split("\t", -1);
                System.setProperty("m0.mutant", parts[3]);
                System.setProperty("m0.mutant.class", parts[4]);
                answer(parts[0], parts[1], Path.of(parts[2]));
            }
        }
        // A gate that left threads behind must not hold the harness.
        Runtime.getRuntime().halt(0);
    }

    /** Runs the method; the file for the result is there once it is whole. */
    private static void answer(String className, String method, Path file) throws IOException {
        var listener = new OneMethod();
        try {
            listener.run(className, method);
        } catch (ReflectiveOperationException | LinkageError failure) {
            listener.text.append(failure);
        }
        Path written = file.resolveSibling(file.getFileName() + ".written");
        try (Writer out = Files.newBufferedWriter(written)) {
            listener.result().store(out, null);
        }
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void run(String className, String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName(className, false, OneMethod.class.getClassLoader());
        List<Method> methods = methods(type, name);
        if (methods.size() != 1) {
            text.append(methods.size()).append(" methods ").append(className).append('#')
                    .append(name);
            return;
        }
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(type, methods.get(0))).build();
        LauncherFactory.create().execute(request, this);
        if (found == 0 && text.isEmpty()) {
            text.append("no test: ").append(className).append('#').append(name);
        }
    }

    private static List<Method> methods(Class<?> type, String name) {
        var methods = new ArrayList<Method>();
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isSynthetic()) {
                    methods.add(method);
                }
            }
        }
        return methods;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skipped++;
        text.append(test.getDisplayName()).append(": skipped, ").append(reason).append('\n');
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean atMethod = test.getUniqueId().matches(".*\\[(method|test-factory|test-template):.*");
        if (atMethod && test.isTest()) {
            found++;
        }
        switch (result.getStatus()) {
            case SUCCESSFUL -> { }
            case ABORTED -> skipped++;
            case FAILED -> {
                if (atMethod) {
                    failed++;
                } else {
                    elsewhere++;
                }
            }
        }
        result.getThrowable().ifPresent(thrown -> describe(test, thrown));
    }

    private void describe(TestIdentifier test, Throwable thrown) {
        text.append(test.getDisplayName()).append(": ");
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append(cause).append('\n');
        }
    }

    private Properties result() {
        var result = new Properties();
        result.setProperty("found", Integer.toString(found));
        result.setProperty("failed", Integer.toString(failed));
        result.setProperty("elsewhere", Integer.toString(elsewhere));
        result.setProperty("skipped", Integer.toString(skipped));
        result.setProperty("text", text.toString());
        return result;
    }
}
