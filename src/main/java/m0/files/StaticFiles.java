package m0.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.LongSupplier;
import m0.http.FileState;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;

/**
 * Answers from one directory what is asked for under one prefix.
 *
 * <p>An answer goes these steps, and whatever fails one of them is 404, so that a client learns
 * nothing of what is beside the directory:
 *
 * <pre>
 * 1. the path is under the prefix         compared as it was sent; null where it is not
 * 2. the method is GET or HEAD            405 with Allow
 * 3. the path is split, then decoded      RelativePath
 * 4. links are followed, the result is inside the root
 * 5. a directory                          301 to itself with a slash, or its index.html
 * 6. a regular file that can be read
 * 7. conditions, then one range           RFC 9110 §13.2.2: 412, 304, 206, 416, or 200
 * </pre>
 *
 * <p>The root is resolved when this is made: where it is a link, a link that is later turned
 * elsewhere is not followed. Whether a name is hidden is judged by the path that was asked for.
 *
 * <p>Threads: any; it is immutable. Limits: one range for each answer; several are answered with the
 * whole file, as RFC 9110 §14.2 allows. Errors: whatever a name makes the file system say (there is
 * none, it is too long, links go round, permission is missing) is 404. What is exchanged between the look
 * at it and its opening is 503, which the loop sees as it opens it; whoever may write into the directory
 * can give it the same size and time, no path can.
 */
public final class StaticFiles {
    static final String CACHE_CONTROL = "Cache-Control";
    static final Response NOT_FOUND = text(404, "no such file\n").build();
    private static final Response METHOD_NOT_ALLOWED =
            text(405, "files take GET and HEAD\n").header("Allow", "GET, HEAD").build();
    private static final String INDEX = "index.html";

    private final String prefix;
    private final String below;
    private final Path root;
    private final FilesConfig config;
    private final LongSupplier nowSecond;

    /**
     * Serves {@code config.root()} under {@code prefix}.
     *
     * @param prefix empty, or {@code /x} or {@code /x/y}: no slash at its end, nothing to escape
     * @throws IOException where the root is no directory
     */
    public StaticFiles(String prefix, FilesConfig config) throws IOException {
        this(prefix, config, () -> System.currentTimeMillis() / 1000);
    }

    /** {@code nowSecond}: the clock, in seconds since 1970. */
    StaticFiles(String prefix, FilesConfig config, LongSupplier nowSecond) throws IOException {
        if (!RelativePath.isPrefix(prefix)) {
            throw new IllegalArgumentException("prefix=" + prefix + " is not like /x or /x/y");
        }
        this.prefix = prefix;
        this.below = prefix + "/";
        this.root = config.root().toRealPath();
        this.config = config;
        this.nowSecond = nowSecond;
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(root.toString());
        }
    }

    /** The answer, or null where the request's path is not under the prefix. */
    public Response answer(Request request) {
        String raw = request.rawPath();
        if (!raw.equals(prefix) && !raw.startsWith(below)) {
            return null;
        }
        if (request.method() != Method.GET && request.method() != Method.HEAD) {
            return METHOD_NOT_ALLOWED;
        }
        RelativePath path =
                RelativePath.parse(raw.substring(prefix.length()), config.hiddenServed());
        return path == null ? NOT_FOUND : answer(request, path);
    }

    private Response answer(Request request, RelativePath path) {
        Found found = find(path.under(root));
        String name = path.name();
        if (found != null && found.attributes.isDirectory()) {
            if (!path.endsInSlash()) {
                return redirect(path, request.query());
            }
            found = find(found.path.resolve(INDEX));
            name = INDEX;
        } else if (path.endsInSlash()) {
            return NOT_FOUND;
        }
        if (found == null || !found.attributes.isRegularFile()
                || !Files.isReadable(found.path)) {
            return NOT_FOUND;
        }
        return answer(request, found, MediaTypes.of(name));
    }

    /** What is really there once all links are followed, or null where that is not to be served. */
    private Found find(Path asked) {
        if (asked == null) {
            return null;
        }
        try {
            Path real = asked.toRealPath();
            if (!real.startsWith(root)) {
                return null;
            }
            return new Found(real, Files.readAttributes(real, BasicFileAttributes.class,
                    LinkOption.NOFOLLOW_LINKS));
        } catch (IOException nothingThere) {
            // The name is the client's, and so is the reason why it leads nowhere.
            return null;
        }
    }

    /** To the same path on the same host: what it begins with is one slash and no second one. */
    private Response redirect(RelativePath path, String query) {
        var location = new StringBuilder(prefix);
        path.appendEncoded(location);
        location.append('/');
        if (!query.isEmpty()) {
            location.append('?').append(query);
        }
        return Response.status(301).header("Location", location.toString()).build();
    }

    private Response answer(Request request, Found found, String type) {
        long size = found.attributes.size();
        long now = nowSecond.getAsLong();
        Validators current = Validators.of(size, found.attributes.lastModifiedTime(), now);
        return switch (Conditions.check(request, current, now)) {
            case FAILED -> text(412, "the file is another by now\n").build();
            case NOT_MODIFIED -> fields(304, current).build();
            case MET -> content(request, found, current, type);
        };
    }

    private Response content(Request request, Found found, Validators current, String type) {
        long size = found.attributes.size();
        ByteRange range = Conditions.rangeHolds(request, current)
                ? ByteRange.of(FieldLines.only(request, "Range"), size)
                : ByteRange.whole(size);
        return switch (range.kind()) {
            case UNSATISFIABLE -> text(416, "no such range\n")
                    .header("Content-Range", "bytes */" + size).build();
            case WHOLE -> file(fields(200, current), current, type, found, range).build();
            case PART -> file(fields(206, current), current, type, found, range)
                    .header("Content-Range", range.contentRange(size)).build();
        };
    }

    /** What 200 says and 304 has to repeat (RFC 9110 §15.4.5). */
    private Response.Builder fields(int status, Validators current) {
        Response.Builder builder = Response.status(status).header("ETag", current.entityTag());
        return config.cacheControl().isEmpty() ? builder
                : builder.header(CACHE_CONTROL, config.cacheControl());
    }

    private static Response.Builder file(Response.Builder builder, Validators current,
            String type, Found found, ByteRange range) {
        return noSniff(builder.contentType(type))
                .header("Last-Modified", HttpDates.text(current.modifiedSecond()))
                .header("Accept-Ranges", "bytes")
                .file(found.path, range.first(), range.length(),
                        FileState.of(found.attributes));
    }

    private static Response.Builder text(int status, String text) {
        return noSniff(Response.status(status).contentType("text/plain; charset=utf-8"))
                .body(text);
    }

    /** A browser must take the type as it is: what was uploaded as an image stays one. */
    private static Response.Builder noSniff(Response.Builder builder) {
        return builder.header("X-Content-Type-Options", "nosniff");
    }

    /** A path without links, and what stands there. */
    private record Found(Path path, BasicFileAttributes attributes) {
    }
}
