package fragment_notes;

import java.util.List;
import m0.views.Mount;

/** The notes as views see them which only read. */
interface NotesReading {
    Mount at();

    List<Note> newestFirst();

    /** The note of that id, or null. */
    Note find(int id);

    /** The note that was deleted last and can be had back, or null. */
    Note deletedLast();
}
