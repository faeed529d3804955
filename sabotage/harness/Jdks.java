package harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The JDKs that stand beside the one this runs on. */
final class Jdks {
    private final Path home = Path.of(System.getProperty("java.home"));

    /** The {@code java} of release {@code wanted}, this one's for 0, or null where there is none. */
    String executable(int wanted) throws IOException {
        if (wanted == 0 || wanted == Runtime.version().feature()) {
            return java(home);
        }
        File[] siblings = home.getParent().toFile().listFiles(File::isDirectory);
        if (siblings != null) {
            for (File sibling : siblings) {
                Path release = sibling.toPath().resolve("release");
                if (Files.exists(release)
                        && Files.readString(release).contains("JAVA_VERSION=\"" + wanted + ".")) {
                    return java(sibling.toPath());
                }
            }
        }
        return null;
    }

    private static String java(Path home) {
        return home.resolve("bin/java").toString();
    }
}
