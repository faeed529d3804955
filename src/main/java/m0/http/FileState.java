package m0.http;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * What a file was like when somebody looked at it: a file that differs in either has been replaced or
 * written to since. Two states of one size within one tick of the file system's clock are one.
 *
 * <p>Threads: any.
 *
 * @param size in bytes
 * @param modified the time of the last change, as finely as the file system has it
 */
public record FileState(long size, FileTime modified) {
    public static FileState of(BasicFileAttributes attributes) {
        return new FileState(attributes.size(), attributes.lastModifiedTime());
    }
}
