package files;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.files.FilesApp;
import m0.files.FilesConfig;

/**
 * The directory that {@code M0_FILES_ROOT} names, under the prefix it is mounted at or the root.
 *
 * <p>Threads: any. Errors: a setting that is missing or cannot be used is named where a handler is
 * made, so the host does not start.
 */
public final class FileServer implements App {
    static final String ROOT = "M0_FILES_ROOT";
    static final String CACHE_CONTROL = "M0_FILES_CACHE_CONTROL";
    static final String HIDDEN = "M0_FILES_HIDDEN";

    @Override
    public Set<String> settings() {
        return Set.of(ROOT, CACHE_CONTROL, HIDDEN);
    }

    /** A handler keeps nothing from one request to the next. */
    @Override
    public boolean handlerShared() {
        return true;
    }

    @Override
    public AppHandler make(HostContext context) {
        FilesConfig config = config(context);
        try {
            return new FilesApp(config).make(context);
        } catch (IOException unusable) {
            throw new IllegalArgumentException(ROOT + "=" + config.root()
                    + " is no directory that can be read", unusable);
        }
    }

    private static FilesConfig config(HostContext context) {
        FilesConfig config = FilesConfig.of(root(context.setting(ROOT)));
        String cacheControl = context.setting(CACHE_CONTROL);
        if (cacheControl != null) {
            config = withCacheControl(config, cacheControl);
        }
        String hidden = context.setting(HIDDEN);
        if (hidden == null || hidden.equals("0")) {
            return config;
        }
        if (hidden.equals("1")) {
            return config.withHiddenFiles();
        }
        throw new IllegalArgumentException(HIDDEN + "=" + hidden + " is neither 0 nor 1");
    }

    private static Path root(String text) {
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException(ROOT
                    + " is not set: it names the directory to serve");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException noPath) {
            throw new IllegalArgumentException(ROOT + "=" + text + " is no path", noPath);
        }
    }

    private static FilesConfig withCacheControl(FilesConfig config, String value) {
        try {
            return config.withCacheControl(value);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(CACHE_CONTROL + " cannot be sent: "
                    + refused.getMessage(), refused);
        }
    }
}
