package m0.bus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import m0.loop.PassWork;
import m0.loop.ReadyWork;

/** One child that publishes. Threads: the loop's. Owns: its channel. */
final class ChildConnection implements ReadyWork {
    private static final long FRAME_NS_MAX = ChildDoor.FRAME_MS_MAX * 1_000_000L;

    private final ChildDoor door;
    private final SocketChannel channel;
    private final ChildFrames frames;
    /** When the frame that is incomplete was first found so. */
    private long frameSinceNs;
    private boolean midFrame;
    /** Whether it waits for its turn to be read. */
    private boolean queued;

    ChildConnection(ChildDoor door, SocketChannel channel, ChildFrames frames) {
        this.door = door;
        this.channel = channel;
        this.frames = frames;
    }

    @Override
    public void onReady(boolean readable, boolean writable) {
        if (!queued) {
            queued = true;
            door.queue(this);
        }
    }

    /** Its turn: one read, and what that brings is published. */
    void read() {
        queued = false;
        ByteBuffer buffer = door.emptyBuffer();
        int count;
        try {
            count = channel.read(buffer);
        } catch (IOException gone) {
            count = -1;
        }
        if (count < 0) {
            onEnd();
            return;
        }
        long before = frames.published();
        String reason = frames.take(buffer.flip());
        if (!reason.isEmpty()) {
            cutOff(reason);
            return;
        }
        if (frames.isMidFrame() && (!midFrame || frames.published() > before)) {
            frameSinceNs = door.nowNs();
        }
        midFrame = frames.isMidFrame();
    }

    private void onEnd() {
        if (midFrame) {
            cutOff("it ended within a frame");
        } else {
            end(frames.answer());
        }
    }

    /** Nanoseconds until its frame is late, or {@link PassWork#NEVER}; one that is late is cut off. */
    long runTimer(long nowNs) {
        if (!midFrame) {
            return PassWork.NEVER;
        }
        long leftNs = FRAME_NS_MAX - (nowNs - frameSinceNs);
        if (leftNs > 0) {
            return leftNs;
        }
        cutOff("a frame was not complete after " + ChildDoor.FRAME_MS_MAX + " ms");
        return PassWork.NEVER;
    }

    private void cutOff(String reason) {
        end(frames.answer(reason));
        door.observer().onChildCutOff(reason);
    }

    /** The host begins its drain. */
    void stop() {
        end(frames.answer("the host is stopping"));
    }

    /** Says its last line and closes; a child that does not listen has lost it. */
    private void end(String answer) {
        try (channel) {
            channel.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException gone) {
            // There is nobody left to tell.
            midFrame = false;
        }
        door.release(this);
    }
}
