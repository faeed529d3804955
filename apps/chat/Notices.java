package chat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the room sends, one JSON object each:
 *
 * <pre>
 * {"kind":"welcome","name":NAME,"loop":K,"here":N}   to who has come
 * {"kind":"came","name":NAME,"here":N,"at":MS}
 * {"kind":"left","name":NAME,"here":N,"at":MS}
 * {"kind":"said","id":ID,"name":NAME,"text":TEXT,"at":MS}
 * {"kind":"refused","reason":TEXT}                   to who said it
 * </pre>
 *
 * <p>An id is loop, start and count of the room's part that made it. So it is unique without
 * anything shared, also beside those of an earlier run, and a page can tell what it has shown.
 *
 * <p>Threads: the loop's.
 */
final class Notices {
    private static final String SAID = "{\"kind\":\"said\",";
    private static final byte[] SAID_BYTES = SAID.getBytes(StandardCharsets.US_ASCII);

    private final String run;
    private long count;

    Notices(int loop, long startMs) {
        run = loop + "-" + Long.toString(startMs, Character.MAX_RADIX) + "-";
    }

    byte[] welcome(String name, int loop, long here) {
        return utf8("{\"kind\":\"welcome\",\"name\":" + quoted(name) + ",\"loop\":" + loop
                + ",\"here\":" + here + "}");
    }

    byte[] came(String name, long here, long atMs) {
        return presence("came", name, here, atMs);
    }

    byte[] left(String name, long here, long atMs) {
        return presence("left", name, here, atMs);
    }

    private static byte[] presence(String kind, String name, long here, long atMs) {
        return utf8("{\"kind\":\"" + kind + "\",\"name\":" + quoted(name) + ",\"here\":" + here
                + ",\"at\":" + atMs + "}");
    }

    byte[] said(String name, String text, long atMs) {
        count++;
        return utf8(SAID + "\"id\":\"" + run + count + "\",\"name\":" + quoted(name)
                + ",\"text\":" + quoted(text) + ",\"at\":" + atMs + "}");
    }

    byte[] refused(String reason) {
        return utf8("{\"kind\":\"refused\",\"reason\":" + quoted(reason) + "}");
    }

    /** Whether a notice is a message. */
    static boolean isSaid(byte[] notice) {
        int length = SAID_BYTES.length;
        return notice.length > length
                && Arrays.equals(notice, 0, length, SAID_BYTES, 0, length);
    }

    /** A JSON string, which stays harmless inside a script or a page. */
    static String quoted(String text) {
        var quoted = new StringBuilder(text.length() + 2).append('"');
        for (int index = 0; index < text.length(); index++) {
            char each = text.charAt(index);
            boolean plain = each >= ' ' && each != '"' && each != '\\' && each != '<'
                    && each != '\u2028' && each != '\u2029';
            if (plain) {
                quoted.append(each);
            } else {
                String hex = Integer.toHexString(each);
                quoted.append("\\u").append("0000", hex.length(), 4).append(hex);
            }
        }
        return quoted.append('"').toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
