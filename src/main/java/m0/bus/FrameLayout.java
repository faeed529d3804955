package m0.bus;

/**
 * One frame in a ring, in the machine's byte order.
 *
 * <pre>
 * 0        8          16              17            18
 * +--------+----------+---------------+-------------+---------+-------+------+
 * | id     | lost     | channel bytes | event bytes | channel | event | data |
 * +--------+----------+---------------+-------------+---------+-------+------+
 * </pre>
 *
 * <p>{@code lost} is the id of the last frame that this ring refused before this one, or 0: so the
 * reader learns of a loss where it stands in the order.
 */
final class FrameLayout {
    static final int ID = 0;
    static final int LOST = 8;
    static final int CHANNEL_BYTES = 16;
    static final int EVENT_BYTES = 17;
    static final int CHANNEL = 18;

    /** A name's length is one byte. */
    static final int NAME_BYTES_MAX = 255;
    static final int DATA_BYTES_MAX = 64 * 1024;
    static final int FRAME_BYTES_MAX = CHANNEL + 2 * NAME_BYTES_MAX + DATA_BYTES_MAX;

    /** The type that the ring writes beside each frame; there is one kind of frame. */
    static final int TYPE = 1;

    private FrameLayout() {
    }
}
