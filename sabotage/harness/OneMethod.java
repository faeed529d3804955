package harness;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.io.Writer;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A JVM's main: runs one test method and writes how it went.
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

    /** Arguments: class, method, the file for the result. */
    public static void main(String[] arguments) throws IOException {
        var listener = new OneMethod();
        try {
            listener.run(arguments[0], arguments[1]);
        } catch (ReflectiveOperationException | LinkageError failure) {
            listener.text.append(failure);
        }
        try (Writer out = Files.newBufferedWriter(Path.of(arguments[2]))) {
            listener.result().store(out, null);
        }
        // A gate that left threads behind must not hold the harness.
        Runtime.getRuntime().halt(0);
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
