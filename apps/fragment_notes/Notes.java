package fragment_notes;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import m0.views.Mount;

/**
 * The notes of one handler.
 *
 * <p>Threads: its handler's. Limits: {@value #NOTES_MAX} notes, {@value #TITLE_CHARS_MAX}
 * characters in a title, {@value #TEXT_CHARS_MAX} in a text; of those deleted the last one is kept.
 */
final class Notes implements NotesReading {
    static final int NOTES_MAX = 200;
    static final int TITLE_CHARS_MAX = 100;
    static final int TEXT_CHARS_MAX = 4000;

    private final Mount at;
    private final InstantSource clock;
    private final NavigableMap<Integer, Note> notes = new TreeMap<>();
    private Note deletedLast;
    private int lastId;

    Notes(Mount at, InstantSource clock) {
        this.at = at;
        this.clock = clock;
    }

    @Override
    public Mount at() {
        return at;
    }

    @Override
    public List<Note> newestFirst() {
        return new ArrayList<>(notes.descendingMap().values());
    }

    @Override
    public Note find(int id) {
        return notes.get(id);
    }

    @Override
    public Note deletedLast() {
        return deletedLast;
    }

    /** Adds a note where {@link #problemOf} finds nothing wrong, and returns it. */
    Note add(String title, String text) {
        Note note = new Note(++lastId, title, text, clock.instant());
        notes.put(note.id(), note);
        return note;
    }

    /** Why a note cannot be added, for the person who wrote it; empty where it can. */
    String problemOf(String title, String text) {
        if (title.codePoints().allMatch(Notes::isUnseen)) {
            return "A note needs a title.";
        }
        if (title.length() > TITLE_CHARS_MAX) {
            return "A title has at most " + TITLE_CHARS_MAX + " characters; this one has "
                    + title.length() + ".";
        }
        if (text.length() > TEXT_CHARS_MAX) {
            return "A note has at most " + TEXT_CHARS_MAX + " characters; this one has "
                    + text.length() + ".";
        }
        return problemOfRoom();
    }

    /** Whether that leaves nothing to see, so that a link of such characters could not be followed. */
    private static boolean isUnseen(int character) {
        return Character.isSpaceChar(character) || Character.isWhitespace(character)
                || Character.isISOControl(character)
                || Character.getType(character) == Character.FORMAT;
    }

    /** Why there is no room for one more note; empty where there is. */
    String problemOfRoom() {
        return isFull() ? "There is room for " + NOTES_MAX
                + " notes, and so many are here. Delete one first." : "";
    }

    boolean isFull() {
        return notes.size() >= NOTES_MAX;
    }

    /** Deletes a note; false if there is none of that id. */
    boolean delete(int id) {
        Note note = notes.remove(id);
        if (note != null) {
            deletedLast = note;
        }
        return note != null;
    }

    /** Brings back the note that was deleted last, if it has that id and there is room. */
    boolean restore(int id) {
        if (deletedLast == null || deletedLast.id() != id || isFull()) {
            return false;
        }
        notes.put(id, deletedLast);
        deletedLast = null;
        return true;
    }
}
