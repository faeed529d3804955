package m0.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import m0.stream.Registry.Channel;
import m0.stream.Registry.Subscription;
import org.junit.jupiter.api.Test;

/** Who gets the frames of which channel. */
class RegistryTest {
    private final Registry<String> registry = new Registry<>();

    private Set<String> members(String name) {
        Channel<String> channel = registry.channel(name);
        Set<String> members = new HashSet<>();
        if (channel != null) {
            assertEquals(name, channel.name());
            for (int index = 0; index < channel.size(); index++) {
                members.add(channel.member(index));
            }
            assertEquals(channel.size(), members.size(), "one of them is there twice");
        }
        return members;
    }

    @Test
    void aChannelExistsWhileSomebodySubscribesToIt() {
        assertNull(registry.channel("a"));
        Subscription<String> one = registry.join("a", "one");
        Subscription<String> two = registry.join("a", "two");
        assertEquals("a", one.channel());
        assertEquals(Set.of("one", "two"), members("a"));
        assertNull(registry.channel("b"));
        registry.leave(one);
        assertEquals(Set.of("two"), members("a"));
        registry.leave(two);
        assertNull(registry.channel("a"));
    }

    @Test
    void whoLeavesOneChannelStaysInTheOthers() {
        Subscription<String> first = registry.join("a", "one");
        registry.join("b", "one");
        registry.leave(first);
        assertEquals(Set.of(), members("a"));
        assertEquals(Set.of("one"), members("b"));
    }

    @Test
    void whoeverLeavesTheOthersStay() {
        for (int leaver = 0; leaver < 3; leaver++) {
            Registry<String> three = new Registry<>();
            List<Subscription<String>> joined = List.of(three.join("a", "0"),
                    three.join("a", "1"), three.join("a", "2"));
            three.leave(joined.get(leaver));
            Set<String> left = new HashSet<>(Set.of("0", "1", "2"));
            left.remove(String.valueOf(leaver));
            Channel<String> channel = three.channel("a");
            assertEquals(left, Set.of(channel.member(0), channel.member(1)));
        }
    }

    /** Against sets; a place is taken over again and again. */
    @Test
    void knowsItsMembersWhateverTheOrderOfComingAndGoing() {
        long seed = 20_261_129;
        Random random = new Random(seed);
        Map<String, Set<String>> model = new HashMap<>();
        List<Subscription<String>> joined = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int turn = 0; turn < 5000; turn++) {
            if (joined.isEmpty() || random.nextInt(10) < (turn % 1000 < 500 ? 7 : 3)) {
                String channel = "c" + random.nextInt(5);
                String name = "m" + turn;
                joined.add(registry.join(channel, name));
                names.add(name);
                model.computeIfAbsent(channel, absent -> new HashSet<>()).add(name);
            } else {
                int index = random.nextInt(joined.size());
                Subscription<String> left = joined.remove(index);
                model.get(left.channel()).remove(names.remove(index));
                registry.leave(left);
            }
            for (int channel = 0; channel < 5; channel++) {
                assertEquals(model.getOrDefault("c" + channel, Set.of()), members("c" + channel),
                        "seed=" + seed + " turn=" + turn);
            }
        }
    }
}
