package fragment_notes;

import java.time.InstantSource;
import m0.app.HostContext;
import m0.views.Mount;
import m0.views.ViewState;
import m0.views.ViewsApp;

/** Notes that live in one handler: a second one would have notes of its own. */
public final class FragmentNotes extends ViewsApp<NotesReading, Notes> {
    public FragmentNotes() {
        super(NotesViews.table(), new OneList());
    }

    private static final class OneList implements ViewState<Notes> {
        @Override
        public Notes make(Mount at, HostContext context) {
            return new Notes(at, InstantSource.system());
        }

        /** One list, and therefore one loop and no lane. */
        @Override
        public int maxWorkers() {
            return 1;
        }
    }
}
