package m0.bus;

import java.nio.ByteBuffer;

/** Each id is seen once, in order, or lies in a gap that was told before the next one. */
final class FrameOrder implements FrameSink {
    volatile long last;
    volatile long lost;
    long frames;
    long missing;
    volatile String wrong = "";

    @Override
    public void onFrame(long id, String channel, String event, ByteBuffer data) {
        frames++;
        if (id <= last) {
            note("id " + id + " behind " + last);
        } else if (lost > last ? id != lost + 1 : id != last + 1) {
            note("id " + id + " behind " + last + ", told lost up to " + lost);
        }
        missing += id - last - 1;
        last = id;
    }

    @Override
    public void onLost(long id) {
        if (id <= last || id <= lost) {
            note("lost " + id + " told behind " + last + ", lost " + lost);
        }
        lost = id;
    }

    /** How many it has not seen, of those up to the last that it has seen or was told of. */
    long absent() {
        return missing + Math.max(0, lost - last);
    }

    private void note(String found) {
        if (wrong.isEmpty()) {
            wrong = found;
        }
    }
}
