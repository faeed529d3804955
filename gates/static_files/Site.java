package static_files;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;

/**
 * A directory to be served, inside another that is not, and how to ask for its files.
 *
 * <p>Threads: the gate's. Owns: what it has written; whoever gave the directory deletes it.
 */
final class Site {
    /** {@code Sun, 06 Nov 1994 08:49:37 GMT}, and some nanoseconds. */
    static final Instant MODIFIED = Instant.ofEpochSecond(784111777, 123_456_789);

    private final Path root;

    /** {@code outside}: an empty directory, which becomes the root's parent. */
    Site(Path outside) {
        root = outside.resolve("root");
        file("a.txt", "0123456789");
        file("../secret.txt", "secret");
        file("../root-beside/secret.txt", "secret");
    }

    Path root() {
        return root;
    }

    /** A server of this directory; more can be set before it is started. */
    ServerProcess.Plan plan() {
        return ServerProcess.app("files").set("M0_FILES_ROOT", root.toString());
    }

    /** Writes a small file, changed at {@link #MODIFIED}. */
    Path file(String name, String text) {
        try {
            Path path = root.resolve(name).normalize();
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
            Files.setLastModifiedTime(path, FileTime.from(MODIFIED));
            return path;
        } catch (IOException failure) {
            throw new AssertionError("a file to serve: " + failure, failure);
        }
    }

    /** Makes a symbolic link. */
    void link(String name, Path target) {
        try {
            Files.createSymbolicLink(root.resolve(name), target);
        } catch (IOException failure) {
            throw new AssertionError("a link: " + failure, failure);
        }
    }

    /** Makes a pipe, which whoever opens it waits for a writer of. */
    void pipe(String name) {
        try {
            Process made = new ProcessBuilder("mkfifo", root.resolve(name).toString())
                    .inheritIO().start();
            if (made.waitFor() != 0) {
                throw new AssertionError("mkfifo ended with " + made.exitValue());
            }
        } catch (IOException failure) {
            throw new AssertionError("a pipe: " + failure, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the gate was interrupted", interrupted);
        }
    }

    /**
     * A large file of zeros, but that the first byte of mebibyte N is N: it takes no room on the disk,
     * and still tells what was left out.
     */
    Path large(String name, int mebibytes) {
        Path path = root.resolve(name);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength((long) mebibytes << 20);
            for (int index = 0; index < mebibytes; index++) {
                file.seek((long) index << 20);
                file.write(index);
            }
            return path;
        } catch (IOException failure) {
            throw new AssertionError("a large file: " + failure, failure);
        }
    }

    /** Reads so many mebibytes of {@link #large} from its beginning, and fails where they differ. */
    static void readLarge(RawClient client, int mebibytes) {
        for (int index = 0; index < mebibytes; index++) {
            byte[] mebibyte = client.readRaw(1 << 20);
            if ((mebibyte[0] & 0xff) != index) {
                throw new AssertionError("mebibyte " + index + " begins with "
                        + (mebibyte[0] & 0xff));
            }
            for (int at = 1; at < mebibyte.length; at++) {
                if (mebibyte[at] != 0) {
                    throw new AssertionError("byte " + at + " of mebibyte " + index + " is "
                            + mebibyte[at]);
                }
            }
        }
    }

    /** One request with these field lines, and its answer. */
    static Reply ask(RawClient client, String method, String target, String... fields) {
        return send(client, method, target, fields).read(method);
    }

    /** One request with these field lines. */
    static RawClient send(RawClient client, String method, String target, String... fields) {
        StringBuilder request = new StringBuilder(method + " " + target
                + " HTTP/1.1\r\nHost: gate\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        return client.send(request + "\r\n");
    }
}
