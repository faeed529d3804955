package m0.http.parse;

/**
 * A request that owns its bytes.
 *
 * <p>Threads: any, once it was handed over safely; nothing in it changes. Owns: one array with the
 * head and the body.
 */
final class RequestCopy extends HeadView {
    RequestCopy(HeadView source) {
        super(source);
    }
}
