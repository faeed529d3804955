package fragment_notes;

import java.nio.charset.StandardCharsets;
import m0.http.Form;
import m0.http.Method;
import m0.http.ProblemException;
import m0.http.Request;
import m0.http.Response;
import m0.views.Captures;
import m0.views.LoopView;
import m0.views.Query;
import m0.views.Views;

/**
 * The routes.
 *
 * <pre>
 * GET  /                     the list and the form; ?deleted=ID offers to have that one back
 * POST /notes                adds (title, text): 303 to the list, or the form with what is wrong
 * GET  /notes/{id}           one note
 * POST /notes/{id}/delete    303 to the list
 * POST /notes/{id}/restore   303 to the list
 * GET  /notes.js, /notes.css
 * </pre>
 *
 * <p>A request with the field {@code Fragment: main} gets what stands in {@code main} alone. What
 * writes is not taken from pages of other sites, where the browser says that it comes from one.
 */
final class NotesViews {
    private NotesViews() { }

    static Views<NotesReading, Notes> table() {
        return new Views<NotesReading, Notes>()
                .addRead("list", Method.GET, "/", NotesViews::list)
                .addWrite("add", Method.POST, "/notes", NotesViews::add)
                .addRead("note", Method.GET, "/notes/{id}", NotesViews::note)
                .addWrite("delete", Method.POST, "/notes/{id}/delete", NotesViews::delete)
                .addWrite("restore", Method.POST, "/notes/{id}/restore", NotesViews::restore)
                .addLoop("script", Method.GET, "/notes.js", asset("text/javascript",
                        NotesAssets.SCRIPT))
                .addLoop("style", Method.GET, "/notes.css", asset("text/css", NotesAssets.STYLE))
                .setNotFound(NotesViews::nothing);
    }

    private static LoopView asset(String type, String text) {
        Response answer = Response.status(200).contentType(type + "; charset=utf-8")
                .header("Cache-Control", "no-cache").header("X-Content-Type-Options", "nosniff")
                .body(text.getBytes(StandardCharsets.UTF_8)).build();
        return (request, captures) -> answer;
    }

    private static Response list(NotesReading notes, Request request, Captures captures)
            throws ProblemException {
        String asked = Query.of(request).text("deleted", "");
        Note deleted = notes.deletedLast();
        boolean offered = deleted != null && asked.equals(String.valueOf(deleted.id()));
        return NotesPage.list(notes, offered ? deleted : null, request);
    }

    private static Response add(Notes notes, Request request, Captures captures)
            throws ProblemException {
        checkSite(request);
        Form form = Form.body(request);
        String title = oneLine(form.text("title", ""));
        String text = lines(form.text("text", ""));
        String problem = notes.problemOf(title, text);
        if (!problem.isEmpty()) {
            return NotesPage.formAgain(notes, title, text, problem, request);
        }
        notes.add(title, text);
        return seeOther(notes.at().urlFor("list"));
    }

    private static Response note(NotesReading notes, Request request, Captures captures) {
        Note note = notes.find(id(captures));
        return note == null ? nothing(notes, request, captures)
                : NotesPage.note(notes, note, request);
    }

    private static Response delete(Notes notes, Request request, Captures captures)
            throws ProblemException {
        checkSite(request);
        int id = id(captures);
        return notes.delete(id) ? seeOther(notes.at().urlFor("list") + "?deleted=" + id)
                : nothing(notes, request, captures);
    }

    private static Response restore(Notes notes, Request request, Captures captures)
            throws ProblemException {
        checkSite(request);
        if (notes.isFull()) {
            return NotesPage.formAgain(notes, "", "", notes.problemOfRoom(), request);
        }
        return notes.restore(id(captures)) ? seeOther(notes.at().urlFor("list"))
                : nothing(notes, request, captures);
    }

    private static Response nothing(NotesReading notes, Request request, Captures captures) {
        return NotesPage.nothing(notes, request);
    }

    /**
     * No page of another origin may write notes with the visitor's browser. {@code Origin} comes with
     * every POST of one; {@code Sec-Fetch-Site} to trustworthy addresses only, and to those from pages
     * whose origin is not told too. A site is a name without its port, so what is on the same site is
     * another program. Who sends neither is no browser.
     */
    private static void checkSite(Request request) throws ProblemException {
        String origin = request.header("Origin");
        boolean elsewhere = origin != null
                && !origin.equalsIgnoreCase("http://" + request.authority())
                && !origin.equalsIgnoreCase("https://" + request.authority());
        if (elsewhere || request.headerIs("Sec-Fetch-Site", "cross-site")
                || request.headerIs("Sec-Fetch-Site", "same-site")) {
            throw new ProblemException(403, "Notes are written from their own page only.");
        }
    }

    /** A browser leaves a POST behind with this, so that a reload asks for the page alone. */
    private static Response seeOther(String url) {
        return Response.status(303).header("Location", url).header("Cache-Control", "no-store")
                .build();
    }

    /** The number in the path, or one that no note has. */
    private static int id(Captures captures) {
        String text = captures.text("id");
        return text.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(text) : 0;
    }

    private static String oneLine(String text) {
        return lines(text).replace('\n', ' ').strip();
    }

    /** Browsers send line breaks as CRLF, and count them as one character before. */
    private static String lines(String text) {
        String unix = text.replace("\r\n", "\n").replace('\r', '\n');
        var kept = new StringBuilder(unix.length());
        for (int index = 0; index < unix.length(); index++) {
            char c = unix.charAt(index);
            kept.append(c < ' ' && c != '\n' && c != '\t' || c == 0x7f ? '\ufffd' : c);
        }
        return kept.toString().stripTrailing();
    }
}
