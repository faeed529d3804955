package m0.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import m0.bus.FrameBus;
import m0.bus.ChildDoor;
import m0.bus.ChildObserver;
import m0.loop.Clock;
import m0.loop.Door;

/**
 * The door for children that publish, made when an application first asks for it: a start that needs
 * none makes no socket and no directory.
 *
 * <p>Threads: any. Owns: the door's files, until {@link #close}. Errors: asked for too late, or
 * where it cannot be made, it is an {@code IllegalStateException} with the reason.
 */
final class ChildPublishing {
    /** Where a child finds the door. */
    static final String VARIABLE = "M0_INTERNAL_PUBLISH";
    private enum Phase { BUILDING, SERVING, CLOSED }

    private final FrameBus bus;
    private final Place place;
    private final Clock clock;
    private final ChildObserver observer;
    private Phase phase = Phase.BUILDING;
    private ChildDoor door;

    /** @param place whose first loop watches the door */
    ChildPublishing(FrameBus bus, Place place, Clock clock, ChildObserver observer) {
        this.bus = bus;
        this.place = place;
        this.clock = clock;
        this.observer = observer;
    }

    /** The environment of a child that is to publish. */
    synchronized Map<String, String> environment() {
        if (door == null) {
            door = make();
        }
        return Map.of(VARIABLE, door.socket().toString());
    }

    private ChildDoor make() {
        if (phase != Phase.BUILDING) {
            throw new IllegalStateException("childEnvironment is there for who asked for it in make"
                    + " or producer, before anything was served");
        }
        Path parent = place.files();
        try {
            return ChildDoor.make(parent, bus.publisher(), bus.source(place.firstLoop()),
                    clock, observer);
        } catch (IOException failure) {
            throw new IllegalStateException("no socket for children can be made in " + parent + ": "
                    + Failure.line(failure), failure);
        }
    }

    /** That loop begins, and watches these; no door is made from now on. */
    synchronized List<Door> doors(int loop) {
        if (phase == Phase.BUILDING) {
            phase = Phase.SERVING;
        }
        return door == null || loop != place.firstLoop() ? List.of() : List.of(door);
    }

    /** Takes the files away, whatever became of the loop; none are made from now on. */
    synchronized void close() {
        boolean unopened = phase == Phase.BUILDING;
        phase = Phase.CLOSED;
        if (door != null && unopened) {
            door.closeUnopened();
        } else if (door != null) {
            door.removeFiles();
        }
    }
}
