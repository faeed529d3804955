package pool_spike;

import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;

/** Answers fast or slowly, and names the thread that did. */
public final class PoolSpike implements App {
    /** How many answers that take their time were begun. */
    static final int BEGUN_WORD = 0;
    /** How often those that are held were told to go on. */
    static final int RELEASED_WORD = 1;
    private static final int WORDS = 2;

    @Override
    public int pageSlots(int loops) {
        return WORDS;
    }

    /** A handler keeps nothing from one request to the next. */
    @Override
    public boolean handlerShared() {
        return true;
    }

    @Override
    public AppHandler make(HostContext context) {
        return new PoolSpikeHandler(context);
    }
}
