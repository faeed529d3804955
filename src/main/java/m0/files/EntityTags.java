package m0.files;

/**
 * A list of entity tags, as {@code If-Match} and {@code If-None-Match} have one (RFC 9110 §8.8.3).
 * Threads: any.
 */
final class EntityTags {
    private static final String WEAK = "W/";

    private EntityTags() { }

    /**
     * Whether the list names that tag, or is {@code *}. Behind what is malformed it names nothing.
     *
     * @param list the field's value
     * @param tag a strong tag with its quotes
     * @param weakly whether {@code W/} in front of it makes no difference (RFC 9110 §8.8.3.2)
     */
    static boolean name(String list, String tag, boolean weakly) {
        if (list.strip().equals("*")) {
            return true;
        }
        int at = 0;
        while (at < list.length()) {
            char c = list.charAt(at);
            if (c == ',' || c == ' ' || c == '\t') {
                at++;
                continue;
            }
            boolean weak = list.startsWith(WEAK, at);
            int quote = weak ? at + WEAK.length() : at;
            // A tag may hold commas, so the list is read tag by tag and not split.
            int end = list.startsWith("\"", quote) ? list.indexOf('"', quote + 1) : -1;
            if (end < 0) {
                return false;
            }
            if ((weakly || !weak) && list.substring(quote, end + 1).equals(tag)) {
                return true;
            }
            at = end + 1;
        }
        return false;
    }
}
