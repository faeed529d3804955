package m0.app;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Keeps what is published, for tests; every frame is taken, unless it is told otherwise. */
public final class FakePublisher implements Publisher {
    /** One frame, its data read as UTF-8. */
    public record Frame(long id, String channel, String event, String data) { }

    private final List<Frame> frames = new ArrayList<>();
    private String reason = "";
    private long lastId;

    /** Refuses every frame from now on, for that reason; none for the empty one. */
    public void refuse(String why) {
        reason = why;
    }

    @Override
    public Published publish(String channel, String event, ByteBuffer data) {
        if (!reason.isEmpty()) {
            return new Published(0, 0, 1, reason);
        }
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        frames.add(new Frame(++lastId, channel, event, new String(bytes, StandardCharsets.UTF_8)));
        return new Published(lastId, 1, 0, "");
    }

    /** What was published since the last call, in order. */
    public List<Frame> take() {
        List<Frame> taken = List.copyOf(frames);
        frames.clear();
        return taken;
    }

    /** The data of what was published since the last call, in order. */
    public List<String> takeData() {
        return take().stream().map(Frame::data).toList();
    }
}
