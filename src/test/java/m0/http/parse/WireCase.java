package m0.http.parse;

import java.util.List;
import m0.http.Limits;

/**
 * One named case: bytes on the wire, and what they mean.
 *
 * @param name its heading; rule ids stand before the colon
 * @param refusedAt the index of the byte by which it is refused, or −1
 * @param expected the lines of its expect block
 */
record WireCase(String file, String name, byte[] input, int refusedAt, Limits limits,
        List<String> expected) {

    boolean isRefused() {
        return expected.get(0).startsWith("refused: ");
    }

    boolean isAccepted() {
        return expected.get(0).startsWith("accepted: ");
    }

    /** The rules it is a case of. */
    List<String> rules() {
        int colon = name.indexOf(": ");
        return colon < 0 ? List.of() : List.of(name.substring(0, colon).split(", "));
    }

    @Override
    public String toString() {
        return file + ": " + name;
    }
}
