package m0.host;

/** The opening of the JDK that Agrona's rings and queues need at their first use. */
final class AgronaOpening {
    /** What {@code java -jar} takes from the manifest and every other start must say. */
    static final String FLAG = "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED";

    private AgronaOpening() {
    }

    /** Why nothing can be served without it, with the flag to add, or null. Loads nothing of Agrona. */
    static Check refusal() {
        boolean open = Object.class.getModule()
                .isOpen("jdk.internal.misc", AgronaOpening.class.getModule());
        return open ? null : Check.refuses("application",
                "java.base does not open jdk.internal.misc", "start with java -jar host.jar, or add "
                        + FLAG + " to the command line of java");
    }
}
