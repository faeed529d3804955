package chat;

/** What a person may be called. */
final class Names {
    /** In characters of Java, which is about what a page has room for. */
    static final int LENGTH_MAX = 24;
    private static final String NOBODY = "guest";

    private Names() { }

    /** The name without what does not print, cut to its limit; {@code guest} for none. */
    static String clean(String name) {
        if (name == null) {
            return NOBODY;
        }
        var clean = new StringBuilder();
        int index = 0;
        while (index < name.length()) {
            int point = name.codePointAt(index);
            index += Character.charCount(point);
            if (clean.length() + Character.charCount(point) > LENGTH_MAX) {
                break;
            }
            if (Character.isWhitespace(point)) {
                clean.append(' ');
            } else if (prints(point)) {
                clean.appendCodePoint(point);
            }
        }
        String text = clean.toString().strip();
        return text.isEmpty() ? NOBODY : text;
    }

    /** Control and format characters could hide a name or turn the line around it. */
    private static boolean prints(int point) {
        int type = Character.getType(point);
        return type != Character.CONTROL && type != Character.FORMAT
                && type != Character.SURROGATE && type != Character.UNASSIGNED
                && type != Character.PRIVATE_USE && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
