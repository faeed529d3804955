package m0.files;

import m0.http.Method;
import m0.http.Request;

/**
 * The conditions of a request for a file that is there, in the order of RFC 9110 §13.2.2.
 *
 * <pre>
 * If-Match               none of them strongly          412
 *   else If-Unmodified-Since   changed since            412
 * If-None-Match          one of them, weakly            304
 *   else If-Modified-Since     not changed since        304
 * If-Range               not exactly this tag           the range is ignored
 * </pre>
 *
 * <p>A date that is none, or stands there twice, is no condition. For a range every date is one that
 * fails: a file system cannot tell whether a file changed twice within that second, so its date is no
 * strong validator (RFC 9110 §8.8.2.2), and two states would be put together into one.
 *
 * <p>Threads: any.
 */
final class Conditions {
    /** What becomes of the request. */
    enum Outcome { MET, NOT_MODIFIED, FAILED }

    private Conditions() { }

    /** {@code nowSecond} reads dates with a year of two digits. */
    static Outcome check(Request request, Validators current, long nowSecond) {
        String match = FieldLines.all(request, "If-Match");
        if (match != null) {
            if (!EntityTags.name(match, current.entityTag(), false)) {
                return Outcome.FAILED;
            }
        } else if (date(request, "If-Unmodified-Since", nowSecond, Long.MAX_VALUE)
                < current.modifiedSecond()) {
            return Outcome.FAILED;
        }
        String noneMatch = FieldLines.all(request, "If-None-Match");
        boolean known = noneMatch == null
                ? date(request, "If-Modified-Since", nowSecond, Long.MIN_VALUE)
                        >= current.modifiedSecond()
                : EntityTags.name(noneMatch, current.entityTag(), true);
        return known ? Outcome.NOT_MODIFIED : Outcome.MET;
    }

    /** The field's second, or {@code otherwise} where that is no condition. */
    private static long date(Request request, String name, long nowSecond, long otherwise) {
        String text = FieldLines.only(request, name);
        long second = text == null ? HttpDates.NONE : HttpDates.parse(text, nowSecond);
        return second == HttpDates.NONE ? otherwise : second;
    }

    /**
     * Whether a range may be served: GET alone has one (RFC 9110 §14.2), and where the request has
     * {@code If-Range}, that must be the present tag (RFC 9110 §13.1.5).
     */
    static boolean rangeHolds(Request request, Validators current) {
        if (request.method() != Method.GET) {
            return false;
        }
        if (FieldLines.all(request, "If-Range") == null) {
            return true;
        }
        String only = FieldLines.only(request, "If-Range");
        return only != null && only.equals(current.entityTag());
    }
}
