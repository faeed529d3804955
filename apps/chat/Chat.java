package chat;

import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;

/** A room to talk in: the page at {@code /}, its WebSocket at {@code /ws?name=NAME}. */
public final class Chat implements App {
    /** How many people are in the room, on all loops together. */
    static final int PEOPLE_WORD = 0;
    private static final int WORDS = 1;

    @Override
    public int pageSlots(int loops) {
        return WORDS;
    }

    @Override
    public AppHandler make(HostContext context) {
        return new ChatHandler(context, System::currentTimeMillis);
    }
}
