package m0.bus;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a ring hands over: {@code 7 channel/event=data} and {@code lost 7}. */
final class FrameLog implements FrameSink {
    final List<String> entries = new ArrayList<>();

    @Override
    public void onFrame(long id, String channel, String event, ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        entries.add(id + " " + channel + "/" + event + "="
                + new String(bytes, StandardCharsets.ISO_8859_1));
    }

    @Override
    public void onLost(long id) {
        entries.add("lost " + id);
    }
}
