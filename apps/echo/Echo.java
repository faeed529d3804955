package echo;

import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;

/** Answers with what it was sent. */
public final class Echo implements App {
    /** What its routes have to keep, streams, they keep on the loop. */
    @Override
    public boolean handlerShared() {
        return true;
    }

    @Override
    public AppHandler make(HostContext context) {
        return new EchoHandler(context);
    }
}
