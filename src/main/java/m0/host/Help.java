package m0.host;

/** What {@code --help} prints: how to start it, and the table of settings. */
final class Help {
    private static final int NAME_COLUMNS = 52;

    private Help() {
    }

    static String text(HostProgram program) {
        StringBuilder help = new StringBuilder(8192);
        help.append("usage: java -jar host.jar ")
                .append(program.command()).append(program.command().isEmpty() ? "" : " ")
                .append("[--flag VALUE | --flag=VALUE]...\n\n")
                .append("A flag goes before its variable, a variable before its default.\n\n");
        for (Setting setting : Setting.values()) {
            append(help, setting,
                    program.defaults().getOrDefault(setting, setting.byDefault()),
                    program.range(setting));
        }
        append(help, "--doctor", "print what a start would do, as JSON, and end with its exit code");
        append(help, "--help, -h", "print this");
        return help.append("\nEnds with 0 served and drained, 1 failed, 2 unreadable command line,"
                + " 78 refused.\n\nBehind host.jar, before the flags: serve serves a HttpHandler, with"
                + " applications under\nprefixes; publish CHANNEL [--event NAME], of a child process,"
                + " makes each line of its\ninput an event.\n").toString();
    }

    private static void append(StringBuilder help, Setting setting, String byDefault,
            String range) {
        append(help, setting.flag() + ", " + setting.variable(), setting.meaning());
        if (setting.kind() == Setting.Kind.TEXT || setting.kind() == Setting.Kind.LIST
                || setting.kind() == Setting.Kind.ORIGINS) {
            append(help, "", byDefault == null ? "unset" : "default " + byDefault);
        } else if (setting.kind() == Setting.Kind.SWITCH) {
            append(help, "", "off; the flag takes no value");
        } else {
            append(help, "", "default " + byDefault + ", " + range);
        }
    }

    private static void append(StringBuilder help, String name, String text) {
        help.append(name);
        for (int column = name.length(); column < NAME_COLUMNS; column++) {
            help.append(' ');
        }
        help.append(' ').append(text).append('\n');
    }
}
