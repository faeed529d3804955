package m0.bus;

/** What may be published. Threads: any. */
final class FrameRules {
    /** Channels whose name begins with this byte are the host's own (G7). */
    private static final char RESERVED = 0x01;

    private FrameRules() {
    }

    /** Why this text cannot be a channel's name, or empty; its length in bytes is judged later. */
    static String againstChannel(String channel) {
        if (channel.isEmpty()) {
            return "the channel's name is empty";
        }
        if (channel.charAt(0) == RESERVED) {
            return "channels that begin with byte 0x01 are reserved";
        }
        return againstText(channel, "the channel's name");
    }

    /** Why this text cannot be an event's name, or empty: it would end its line in a stream. */
    static String againstEvent(String event) {
        for (int index = 0; index < event.length(); index++) {
            char c = event.charAt(index);
            if (c == '\r' || c == '\n' || c == 0) {
                return "the event's name has a line break or a NUL in it";
            }
        }
        return againstText(event, "the event's name");
    }

    static String againstLength(int bytes, String what, int max) {
        return bytes <= max ? "" : what + " is longer than " + max + " bytes";
    }

    /** Too long, or half a surrogate pair: it has no UTF-8 and would arrive as another name. */
    private static String againstText(String text, String what) {
        // A character has at least one byte, so that the rest of this is done for short texts alone.
        String tooLong = againstLength(text.length(), what, FrameLayout.NAME_BYTES_MAX);
        if (!tooLong.isEmpty()) {
            return tooLong;
        }
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            if (Character.isHighSurrogate(c) && index + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(index + 1))) {
                index++;
            } else if (Character.isSurrogate(c)) {
                return what + " is no Unicode text";
            }
        }
        return "";
    }
}
