package m0.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A directory that only this user can enter, for what a supervisor and its workers share, gone when
 * the supervisor ends in order.
 *
 * <p>One that a killed supervisor left behind is told by its lock, which ends with the process that
 * held it, in whatever container that ran; a process id would tell nothing there. The lock is taken
 * under another name first, so that a directory with a lock's name in it has had an owner. Anybody
 * may make such a directory where all may write, so only this user's own that nobody else can enter
 * are looked into: another's lock may be a pipe that never opens, and its files may turn into links
 * while they are taken away.
 *
 * <p>Threads: any. Owns: the directory and everything in it. Errors: what cannot be reclaimed is left
 * as it is.
 */
final class PrivateDirectory implements AutoCloseable {
    private static final String PREFIX = "m0w";
    private static final String LOCK = "lock";
    private static final Path OWN_PROCESS = Path.of("/proc/self");
    private static final Set<PosixFilePermission> MODE =
            PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ENTERS =
            PosixFilePermissions.asFileAttribute(MODE);
    static final FileAttribute<Set<PosixFilePermission>> OWNER_READS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;
    private final FileChannel lock;

    private PrivateDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes one below {@code parent}, and takes away what killed supervisors left there. */
    static PrivateDirectory make(Path parent) throws IOException {
        Path path = Files.createTempDirectory(parent, PREFIX, OWNER_ENTERS);
        FileChannel lock = null;
        try {
            reclaim(parent, Files.getOwner(path));
            Path unnamed = path.resolve(LOCK + ".new");
            lock = FileChannel.open(unnamed,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_READS);
            lock.lock();
            Files.move(unnamed, path.resolve(LOCK));
            return new PrivateDirectory(path, lock);
        } catch (IOException failure) {
            if (lock != null) {
                lock.close();
            }
            delete(path);
            throw failure;
        }
    }

    private static void reclaim(Path parent, UserPrincipal owner) throws IOException {
        leftBehind(parent, owner).forEach(PrivateDirectory::delete);
    }

    private static List<Path> leftBehind(Path parent, UserPrincipal owner) throws IOException {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path directory : found) {
                if (isOwn(directory, owner) && isLeftBehind(directory)) {
                    left.add(directory);
                }
            }
        }
        return left;
    }

    /** What {@link #make} would gain there by taking away what killed supervisors left. */
    static long leftBehindBytes(Path parent) {
        long bytes = 0;
        try {
            // Whose a directory is that this process makes, though it makes none here.
            for (Path directory : leftBehind(parent, Files.getOwner(OWN_PROCESS))) {
                bytes += bytesIn(directory);
            }
        } catch (IOException | DirectoryIteratorException unread) {
            // What is free stands for itself then.
            return bytes;
        }
        return bytes;
    }

    private static long bytesIn(Path directory) throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    private static boolean isOwn(Path directory, UserPrincipal owner) {
        try {
            PosixFileAttributes found = Files.readAttributes(directory, PosixFileAttributes.class,
                    LinkOption.NOFOLLOW_LINKS);
            return found.isDirectory() && found.owner().equals(owner)
                    && found.permissions().equals(MODE);
        } catch (IOException goneMeanwhile) {
            return false;
        }
    }

    private static boolean isLeftBehind(Path directory) {
        try (FileChannel other =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE)) {
            FileLock taken = other.tryLock();
            return taken != null;
        } catch (IOException | OverlappingFileLockException anothersOrInUse) {
            return false;
        }
    }

    Path path() {
        return path;
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    /** Takes everything away. Any number of times. */
    @Override
    public void close() {
        delete(path);
        try {
            lock.close();
        } catch (IOException closedAnyway) {
            // The file is gone, so nobody can be kept out by it.
            return;
        }
    }

    private static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                        throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException goneMeanwhile) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                        throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException leftBehind) {
            // A worker that still ends may add a file between two looks; the next start reclaims it.
            return;
        }
    }
}
