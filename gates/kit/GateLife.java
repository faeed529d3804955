package kit;

import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** What {@link Gate} adds to a class of gates. */
final class GateLife implements BeforeEachCallback, AfterEachCallback, AfterAllCallback,
        TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {

    @Override
    public void beforeEach(ExtensionContext context) {
        Servers.forgetClosed();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        throw quoted(failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context,
            Throwable failure) throws Throwable {
        throw quoted(failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context,
            Throwable failure) throws Throwable {
        throw quoted(failure);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (Mutant.present() && context.getExecutionException().isEmpty()) {
            String complaint = Mutant.complaint(Servers.ofThread());
            if (!complaint.isEmpty()) {
                throw new AssertionError(complaint);
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Servers.closeOfThread();
    }

    private static Throwable quoted(Throwable failure) {
        if (failure instanceof TestAbortedException) {
            return failure;
        }
        List<ServerProcess> servers = Servers.ofThread();
        if (Mutant.present()) {
            String complaint = Mutant.complaint(servers);
            if (!complaint.isEmpty()) {
                return new AssertionError(complaint, failure);
            }
        }
        if (!(failure instanceof AssertionError) && !(failure instanceof Exception)) {
            return failure;
        }
        StringBuilder message = new StringBuilder(String.valueOf(
                failure instanceof AssertionError ? failure.getMessage() : failure));
        for (ServerProcess server : servers) {
            message.append('\n').append(server.quote());
        }
        AssertionError quoted = new AssertionError(message.toString(), failure.getCause());
        quoted.setStackTrace(failure.getStackTrace());
        for (Throwable suppressed : failure.getSuppressed()) {
            quoted.addSuppressed(suppressed);
        }
        return quoted;
    }
}
