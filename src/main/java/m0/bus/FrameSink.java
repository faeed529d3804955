package m0.bus;

import java.nio.ByteBuffer;

/** Where a loop's frames go. Threads: that loop's. */
public interface FrameSink {
    /**
     * One frame; ids only rise.
     *
     * @param channel the same object for the same name, as far as few names are in use
     * @param event the event's name, or empty
     * @param data a heap buffer from position to limit, valid during the call
     */
    void onFrame(long id, String channel, String event, ByteBuffer data);

    /**
     * Frames above the last one handed over, up to and with that id, may be missing on this loop,
     * because its ring was full. Called in order with {@link #onFrame}.
     */
    void onLost(long id);
}
