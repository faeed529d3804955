package m0.host;

/** Which build this is. */
final class Build {
    private Build() {
    }

    /** The jar's version, or {@code unpacked} where the classes stand in no jar of ours. */
    static String version() {
        String version = Build.class.getPackage().getImplementationVersion();
        return version == null ? "unpacked" : version;
    }
}
