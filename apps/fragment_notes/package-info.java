/**
 * Notes on one page: a list, a form, a page for each note. With its script the page changes only
 * the part that is new; without it, or without any script, the same links and forms do the same.
 *
 * <p>{@link fragment_notes.FragmentNotes} is the application, {@link fragment_notes.NotesViews} its
 * routes, {@link fragment_notes.NotesPage} what they show. The notes live in the one handler there
 * is, and are gone with it. It knows the host only by {@code m0.app}, {@code m0.http} and
 * {@code m0.views}.
 */
package fragment_notes;
