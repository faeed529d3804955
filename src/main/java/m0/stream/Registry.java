package m0.stream;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/**
 * Who subscribed to which channel on one loop.
 *
 * <p>A channel exists while somebody subscribes to it. Joining and leaving take constant time, so a
 * thousand clients that go at once cost no more than one after another.
 *
 * <p>Threads: the loop's. While members are visited nobody may leave.
 *
 * @param <S> what is subscribed
 */
public final class Registry<S> {
    private final Map<String, Channel<S>> channels = new HashMap<>();

    /** One channel's members, in no order. */
    public static final class Channel<S> {
        private final String name;
        private final ArrayList<Subscription<S>> members = new ArrayList<>();

        private Channel(String name) {
            this.name = name;
        }

        public String name() {
            return name;
        }

        public int size() {
            return members.size();
        }

        public S member(int index) {
            return members.get(index).subscriber;
        }
    }

    /** One membership. */
    public static final class Subscription<S> {
        private final Channel<S> channel;
        private final S subscriber;
        private int index;

        private Subscription(Channel<S> channel, S subscriber) {
            this.channel = channel;
            this.subscriber = subscriber;
        }

        public String channel() {
            return channel.name;
        }
    }

    /** The channel of that name, or null where nobody subscribed to it. */
    public Channel<S> channel(String name) {
        return channels.get(name);
    }

    public Subscription<S> join(String name, S subscriber) {
        Channel<S> channel = channels.get(name);
        if (channel == null) {
            channel = new Channel<>(name);
            channels.put(name, channel);
        }
        Subscription<S> joined = new Subscription<>(channel, subscriber);
        joined.index = channel.members.size();
        channel.members.add(joined);
        return joined;
    }

    /** Ends a membership, once. */
    public void leave(Subscription<S> subscription) {
        Channel<S> channel = subscription.channel;
        Subscription<S> last = channel.members.remove(channel.members.size() - 1);
        if (last != subscription) {
            channel.members.set(subscription.index, last);
            last.index = subscription.index;
        }
        if (channel.members.isEmpty()) {
            channels.remove(channel.name);
        }
    }
}
