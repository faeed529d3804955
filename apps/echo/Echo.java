package echo;

import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;

/** Answers with what it was sent. */
public final class Echo implements App {
    @Override
    public AppHandler make(HostContext context) {
        return new EchoHandler();
    }
}
