package hello;

import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;

/**
 * The application served when none is named: a page about the host with live beats from every loop,
 * and {@code /health}.
 */
public final class Hello implements App {
    /** How many event streams are open, on all loops together. */
    static final int WATCHERS_WORD = 0;
    private static final int WORDS = 1;

    @Override
    public int pageSlots(int loops) {
        return WORDS;
    }

    @Override
    public AppHandler make(HostContext context) {
        return new HelloHandler(context, System.nanoTime());
    }
}
