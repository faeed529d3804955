package process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * An installed JDK.
 *
 * @param home    its directory
 * @param version as its release file says
 */
public record Jdk(Path home, String version) {
    /** The JDK that runs this program. */
    public static Jdk running() {
        return new Jdk(Path.of(System.getProperty("java.home")),
            System.getProperty("java.version"));
    }

    /** A JDK of this feature release: the running one, or one installed beside it. */
    public static Optional<Jdk> installed(int feature) throws IOException {
        if (Runtime.version().feature() == feature) {
            return Optional.of(running());
        }
        Path siblings = running().home().toRealPath().getParent();
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(siblings)) {
            for (Path home : homes) {
                String version = versionOf(home);
                if (version.equals(String.valueOf(feature)) || version.startsWith(feature + ".")) {
                    return Optional.of(new Jdk(home, version));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return Optional.empty();
    }

    private static String versionOf(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isRegularFile(release)) {
            return "";
        }
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        }
        return properties.getProperty("JAVA_VERSION", "").replace("\"", "");
    }

    /** One of its programs. */
    public String program(String name) {
        return home.resolve("bin").resolve(name).toString();
    }
}
