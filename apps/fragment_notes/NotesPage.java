package fragment_notes;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import m0.http.Request;
import m0.http.Response;

/** What the routes show, as a whole page or as the part of it that a script puts in. */
final class NotesPage {
    private static final int EXCERPT_CHARS = 160;
    private static final DateTimeFormatter TIME = DateTimeFormatter
            .ofPattern("d MMM yyyy, HH:mm 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none';"
            + " frame-ancestors 'none'";

    private NotesPage() { }

    /** @param deleted what is offered to be had back, or null */
    static Response list(NotesReading notes, Note deleted, Request request) {
        return answer(200, notes, "Notes", form(notes, "", "", "") + offer(notes, deleted)
                + list(notes), request);
    }

    /** The form with what was written and why it was not taken. */
    static Response formAgain(Notes notes, String title, String text, String problem,
            Request request) {
        return answer(notes.isFull() ? 409 : 422, notes, "Notes",
                form(notes, title, text, problem) + list(notes), request);
    }

    static Response note(NotesReading notes, Note note, Request request) {
        return answer(200, notes, note.title(), """
                <p class="when">%s</p>
                <div class="text">%s</div>
                %s
                <p><a href="%s" data-part>All notes</a></p>
                """.formatted(time(note), escaped(note.text()), deletion(notes, note),
                        notes.at().urlFor("list")), request);
    }

    static Response nothing(NotesReading notes, Request request) {
        return answer(404, notes, "Nothing here", """
                <p>There is no such note. It may have been deleted.</p>
                <p><a href="%s" data-part>All notes</a></p>
                """.formatted(notes.at().urlFor("list")), request);
    }

    private static String form(NotesReading notes, String title, String text, String problem) {
        String message = problem.isEmpty() ? ""
                : "<p class=\"problem\" role=\"alert\" id=\"problem\">" + escaped(problem)
                        + "</p>\n";
        return """
                <form class="add" method="post" action="%s" data-part data-done="Added.">
                %s<label for="title">Title</label>
                <input id="title" name="title" maxlength="%d" autocomplete="off" required
                  data-focus%s value="%s">
                <label for="text">Text</label>
                <textarea id="text" name="text" maxlength="%d" rows="4">
                %s</textarea>
                <button>Add note</button>
                </form>
                """.formatted(notes.at().urlFor("add"), message, Notes.TITLE_CHARS_MAX,
                        problem.isEmpty() ? "" : " aria-describedby=\"problem\"", escaped(title),
                        Notes.TEXT_CHARS_MAX, escaped(text));
    }

    private static String offer(NotesReading notes, Note deleted) {
        if (deleted == null) {
            return "";
        }
        return """
                <form class="offer" method="post" action="%s" data-part data-done="It is back.">
                Deleted &ldquo;%s&rdquo;. <button>Undo</button>
                </form>
                """.formatted(notes.at().urlFor("restore", String.valueOf(deleted.id())),
                        escaped(deleted.title()));
    }

    private static String list(NotesReading notes) {
        List<Note> all = notes.newestFirst();
        if (all.isEmpty()) {
            return "<p class=\"empty\">No notes yet.</p>\n";
        }
        var html = new StringBuilder("<ul class=\"notes\">\n");
        for (Note note : all) {
            html.append("""
                    <li>
                    <a href="%s" data-part>%s</a>
                    <p class="when">%s</p>
                    <p class="text">%s</p>
                    %s</li>
                    """.formatted(notes.at().urlFor("note", String.valueOf(note.id())),
                            escaped(note.title()), time(note), escaped(excerpt(note.text())),
                            deletion(notes, note)));
        }
        return html.append("</ul>\n").toString();
    }

    private static String deletion(NotesReading notes, Note note) {
        return """
                <form method="post" action="%s" data-part data-done="Deleted.">
                <button class="delete" aria-label="Delete &ldquo;%s&rdquo;">Delete</button>
                </form>
                """.formatted(notes.at().urlFor("delete", String.valueOf(note.id())),
                        escaped(note.title()));
    }

    private static String excerpt(String text) {
        if (text.length() <= EXCERPT_CHARS) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(EXCERPT_CHARS - 1)) ? EXCERPT_CHARS - 1
                : EXCERPT_CHARS;
        return text.substring(0, end) + "…";
    }

    private static String time(Note note) {
        return "<time datetime=\"" + note.made() + "\">" + TIME.format(note.made()) + "</time>";
    }

    private static Response answer(int status, NotesReading notes, String title, String content,
            Request request) {
        String main = "<h1 tabindex=\"-1\">" + escaped(title) + "</h1>\n" + content;
        boolean part = request.headerIs("Fragment", "main");
        Response.Builder answer = Response.status(status).contentType("text/html; charset=utf-8")
                .header("Cache-Control", "no-store").header("Vary", "Fragment")
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "same-origin");
        if (part) {
            return answer.header("Fragment", "main").body(main).build();
        }
        return answer.body("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <link rel="icon" href="data:,">
                <link rel="stylesheet" href="%s">
                <script src="%s" defer></script>
                </head>
                <body>
                <main>
                %s</main>
                <p id="said" role="status"></p>
                </body>
                </html>
                """.formatted(escaped(title), notes.at().urlFor("style"),
                        notes.at().urlFor("script"), main)).build();
    }

    /** Text as it stands in an element or in an attribute's quotation marks. */
    static String escaped(String text) {
        var html = new StringBuilder(text.length() + 16);
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                default -> html.append(c);
            }
        }
        return html.toString();
    }
}
