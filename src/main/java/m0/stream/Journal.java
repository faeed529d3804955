package m0.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The frames that a client which comes back can still have, channel by channel.
 *
 * <pre>
 *      floor                             head
 *   ─────┼──────────────────────────────────┼───────  ids, ascending over all channels
 *   some │ every frame of the channel that  │ not yet
 *   gone │ came after the floor is here     │ published
 * </pre>
 *
 * <p>A resume is all or nothing: whoever has seen an id from the floor to the head gets every frame
 * behind it; for any other id some frame may be missing, and nobody can say which.
 *
 * <p>Threads: the loop's. Limits: {@code framesMax} a channel, {@code bytesMax} and
 * {@value #CHANNELS_MAX} channels in all; the channel that was published to longest ago goes first.
 */
public final class Journal {
    static final int CHANNELS_MAX = 4096;

    private final int framesMax;
    private final long bytesMax;
    /** In the order of the last frame, eldest first. */
    private final Map<String, Tail> tails = new LinkedHashMap<>();
    private long bytes;
    /** The floor of channels that have no tail of their own. */
    private long floor;

    /** The latest frames of one channel. */
    private static final class Tail {
        private final ArrayDeque<StreamFrame> frames = new ArrayDeque<>();
        private long floor;
    }

    /**
     * @param framesMax frames kept of one channel; 0 keeps none
     * @param bytesMax bytes kept in all
     * @param head the highest id published before: what came until then is not here
     */
    public Journal(int framesMax, long bytesMax, long head) {
        this.framesMax = framesMax;
        this.bytesMax = bytesMax;
        this.floor = head;
    }

    /** Keeps a frame, whose id is above all before it. */
    public void add(String channel, StreamFrame frame) {
        Tail tail = tails.remove(channel);
        if (tail == null) {
            tail = new Tail();
            tail.floor = floor;
        }
        tails.put(channel, tail);
        tail.frames.addLast(frame);
        bytes += frame.bytes().length;
        while (tail.frames.size() > framesMax) {
            dropOldest(tail);
        }
        makeRoom(tail);
    }

    private void makeRoom(Tail kept) {
        while (bytes > bytesMax || tails.size() > CHANNELS_MAX) {
            Iterator<Tail> eldest = tails.values().iterator();
            Tail tail = eldest.next();
            if (tail == kept) {
                dropOldest(tail);
            } else {
                while (!tail.frames.isEmpty()) {
                    dropOldest(tail);
                }
                floor = Math.max(floor, tail.floor);
                eldest.remove();
            }
        }
    }

    private void dropOldest(Tail tail) {
        StreamFrame dropped = tail.frames.removeFirst();
        tail.floor = dropped.id();
        bytes -= dropped.bytes().length;
    }

    /** Frames up to that id never came here, and nobody knows of which channels. */
    public void lost(long id) {
        floor = Math.max(floor, id);
        for (Tail tail : tails.values()) {
            tail.floor = Math.max(tail.floor, id);
        }
    }

    /**
     * Whether whoever has seen {@code lastId} can have all that followed.
     *
     * @param head the highest id published: one above it is an earlier run's
     */
    public boolean covers(String channel, long lastId, long head) {
        Tail tail = tails.get(channel);
        return lastId >= (tail == null ? floor : tail.floor) && lastId <= head;
    }

    /** The frames behind {@code lastId} that are here, in order. */
    public List<StreamFrame> after(String channel, long lastId) {
        List<StreamFrame> missed = new ArrayList<>();
        Tail tail = tails.get(channel);
        if (tail != null) {
            for (StreamFrame frame : tail.frames) {
                if (frame.id() > lastId) {
                    missed.add(frame);
                }
            }
        }
        return missed;
    }
}
