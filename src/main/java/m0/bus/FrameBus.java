package m0.bus;

import java.util.List;
import m0.app.Publisher;
import m0.loop.Door;

/** Brings what is published anywhere to every loop, within one process or across several. */
public interface FrameBus {
    /** What applications and the producer publish with. */
    Publisher publisher();

    /** The read side of a loop of this process. */
    FrameSource source(int loop);

    /** What that loop must watch to be woken by other processes; opened as it begins. */
    List<Door> doors(int loop);
}
