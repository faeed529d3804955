package m0.host;

/** Text from an operator's hands, made fit for one line of a terminal. */
final class Printable {
    private Printable() {
    }

    /** The text with a question mark for each control character. */
    static String text(String text) {
        StringBuilder line = null;
        for (int index = 0; index < text.length(); index++) {
            if (Character.isISOControl(text.charAt(index))) {
                if (line == null) {
                    line = new StringBuilder(text);
                }
                line.setCharAt(index, '?');
            }
        }
        return line == null ? text : line.toString();
    }
}
