package m0.app;

import java.nio.ByteBuffer;

/** Publishes frames to every loop. Threads: any. It waits for no reader. */
public interface Publisher {
    /**
     * Offers one frame to every loop's ring.
     *
     * @param channel whose subscribers get it; a name beginning with byte 0x01 is refused
     * @param event the event's name, or empty; no line break
     * @param data at most 64 KiB, read during the call
     * @return its id and who took it
     */
    Published publish(String channel, String event, ByteBuffer data);
}
