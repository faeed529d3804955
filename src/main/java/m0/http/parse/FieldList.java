package m0.http.parse;

import m0.bytes.Ascii;

/** Walks a comma-separated field value (RFC 9110 §5.6.1), element by element. Threads: any. */
final class FieldList {
    private FieldList() { }

    /** The index of the comma that ends the element at {@code from}, or {@code to}. */
    static int elementEnd(byte[] array, int from, int to) {
        int index = from;
        while (index < to && array[index] != ',') {
            index++;
        }
        return index;
    }

    /** {@code from}, moved past blanks. */
    static int skipBlanks(byte[] array, int from, int to) {
        int index = from;
        while (index < to && isBlank(array[index])) {
            index++;
        }
        return index;
    }

    /** {@code to}, moved back over blanks. */
    static int trimBlanks(byte[] array, int from, int to) {
        int index = to;
        while (index > from && isBlank(array[index - 1])) {
            index--;
        }
        return index;
    }

    /** Whether {@code token} is an element, in any letter case. */
    static boolean contains(byte[] array, int from, int to, String token) {
        int at = from;
        while (at < to) {
            int end = elementEnd(array, at, to);
            if (isElement(array, at, end, token)) {
                return true;
            }
            at = end + 1;
        }
        return false;
    }

    /** Whether {@code [from, to)}, without the blanks around it, is {@code token}. */
    static boolean isElement(byte[] array, int from, int to, String token) {
        int at = skipBlanks(array, from, to);
        return Ascii.equalIgnoringCase(array, at, trimBlanks(array, at, to), token);
    }

    static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }
}
