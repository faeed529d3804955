package m0.http;

/**
 * What one request may use, in bytes unless the name says otherwise.
 *
 * @param headBytesMax request line and field lines together; beyond it 431
 * @param targetBytesMax the request target; beyond it 414
 * @param bodyBytesMax the body, decoded; beyond it 413
 */
public record Limits(int headBytesMax, int targetBytesMax, int bodyBytesMax) {
    /** Field lines in a head; beyond it 431. */
    public static final int FIELDS_MAX = 100;

    /** Chunk extensions and trailers of one message together; beyond it 400. */
    public static final int CHUNK_OVERHEAD_BYTES_MAX = 8 * 1024;

    /** A chunked body's raw bytes, as a multiple of {@code bodyBytesMax}; beyond it 413. */
    public static final int RAW_BODY_FACTOR = 2;

    /** The limits of the settings' defaults. */
    public static final Limits DEFAULT = new Limits(32 * 1024, 8 * 1024, 4 * 1024 * 1024);
}
