package hello;

import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;

/** The application served when none is named: a page about the host, and {@code /health}. */
public final class Hello implements App {
    @Override
    public AppHandler make(HostContext context) {
        return new HelloHandler(context, System.nanoTime());
    }
}
