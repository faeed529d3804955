package fragment_notes;

import java.time.Instant;

/**
 * One note.
 *
 * @param id from 1, never given twice
 * @param title one line, 1 to {@link Notes#TITLE_CHARS_MAX} characters
 * @param text lines parted by {@code \n}, up to {@link Notes#TEXT_CHARS_MAX} characters
 */
record Note(int id, String title, String text, Instant made) { }
