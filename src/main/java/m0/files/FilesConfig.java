package m0.files;

import java.nio.file.Path;
import java.util.Objects;
import m0.http.Response;

/**
 * What is served, and how.
 *
 * <p>Threads: any. Errors: a {@code cacheControl} that cannot be sent is refused when it is given.
 *
 * @param root the directory
 * @param cacheControl the value of {@code Cache-Control} for what is served, or empty for none
 * @param hiddenServed whether names that begin with a dot are served
 */
public record FilesConfig(Path root, String cacheControl, boolean hiddenServed) {
    public FilesConfig {
        Objects.requireNonNull(root, "root");
        // A value with a control byte in it is refused here, and not with every answer.
        Response.status(200).header(StaticFiles.CACHE_CONTROL, cacheControl);
    }

    /** That directory, without {@code Cache-Control} and hidden files. */
    public static FilesConfig of(Path root) {
        return new FilesConfig(root, "", false);
    }

    public FilesConfig withCacheControl(String value) {
        return new FilesConfig(root, value, hiddenServed);
    }

    /** Names that begin with a dot are served too, {@code .well-known} say, and {@code .env}. */
    public FilesConfig withHiddenFiles() {
        return new FilesConfig(root, cacheControl, true);
    }
}
