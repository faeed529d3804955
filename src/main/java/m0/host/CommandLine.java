package m0.host;

/**
 * The arguments of a start: {@code [serve] --x-y VALUE --x-y=VALUE --switch}.
 *
 * <p>A line that cannot be read has an {@link #error}, and what follows the error was not looked
 * at, save for {@code --help} and {@code --doctor}. Values are not judged here.
 *
 * <p>Threads: any; it is not changed once read.
 */
final class CommandLine {
    /** Subcommands of the jar that take settings; the host itself has none. */
    private static final String[] COMMANDS = {"serve", "train"};

    private final HostProgram program;
    private final String[] values = new String[Setting.values().length];
    private String command = "";
    private boolean doctor;
    private boolean help;
    /** Said of a word that no flag takes, where the one before it was a switch. */
    private String switchBefore = "";
    private String error = "";

    private CommandLine(HostProgram program) {
        this.program = program;
    }

    /** @param program whose ranges may not be the table's */
    static CommandLine read(String[] args, HostProgram program) {
        CommandLine line = new CommandLine(program);
        line.readFrom(args);
        return line;
    }

    private void readFrom(String[] args) {
        int index = 0;
        if (args.length > 0 && isCommand(args[0])) {
            command = args[0];
            index = 1;
        }
        while (index < args.length) {
            String word = args[index++];
            if (word.equals("--help") || word.equals("-h")) {
                help = true;
            } else if (word.equals("--doctor")) {
                doctor = true;
            } else if (error.isEmpty()) {
                index = readFlag(word, args, index);
            }
        }
    }

    private static boolean isCommand(String word) {
        for (String known : COMMANDS) {
            if (known.equals(word)) {
                return true;
            }
        }
        return false;
    }

    /** Reads one flag, with its value from {@code args[next]} if it needs one; the next index. */
    private int readFlag(String word, String[] args, int next) {
        String behindSwitch = switchBefore;
        switchBefore = "";
        int equals = word.indexOf('=');
        String flag = equals < 0 ? word : word.substring(0, equals);
        Setting setting = Setting.ofFlag(flag);
        if (setting == null) {
            error = (word.startsWith("-") ? "unknown flag " + Printable.text(flag)
                    : "unexpected argument " + Printable.text(word)
                            + (isMisplaced(word) ? placeOf(next) : behindSwitch));
            return next;
        }
        if (values[setting.ordinal()] != null) {
            error = flag + " is given twice";
            return next;
        }
        if (equals >= 0) {
            values[setting.ordinal()] = word.substring(equals + 1);
            return next;
        }
        if (setting.kind() == Setting.Kind.SWITCH) {
            values[setting.ordinal()] = "1";
            switchBefore = ", " + flag + " takes no value";
            return next;
        }
        if (next >= args.length || args[next].startsWith("--")) {
            error = flag + " has no value, it takes " + program.range(setting);
            return next;
        }
        values[setting.ordinal()] = args[next];
        return next + 1;
    }

    /** Whether it would be a subcommand of the jar if it stood before the flags. */
    private boolean isMisplaced(String word) {
        return command.isEmpty() && (isCommand(word) || word.equals(PublishCommand.NAME));
    }

    /** The jar's entry keeps its {@code publish} to itself, so a program of its own meets that word. */
    private static String placeOf(int next) {
        return next == 1 ? ", which java -jar host.jar alone takes" : ", a subcommand stands first";
    }

    /** What the flag of that setting says, or null if it is not there. */
    String value(Setting setting) {
        return values[setting.ordinal()];
    }

    /** {@code serve}, {@code train}, or empty for the host itself. */
    String command() {
        return command;
    }

    boolean doctor() {
        return doctor;
    }

    boolean help() {
        return help;
    }

    /** Why the line cannot be read, or empty. */
    String error() {
        return error;
    }
}
