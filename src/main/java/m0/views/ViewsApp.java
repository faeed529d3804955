package m0.views;

import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.Producer;

/**
 * A route table as an application: the table is one, each handler has a state of its own.
 *
 * <p>What the {@link ViewState} limits, asks for or listens to reaches the host as it is. The table
 * is mounted under the prefix of the handler's context.
 *
 * <p>Threads: any; it is immutable.
 *
 * @param <R> see {@link Views}
 * @param <S> see {@link Views}
 */
public class ViewsApp<R, S extends R> implements App {
    private final Views<R, S> views;
    private final ViewState<S> states;
    private final String prefixAlone;

    /** An application of that table, which it seals. */
    public ViewsApp(Views<R, S> views, ViewState<S> states) {
        this(views, states, "");
    }

    /** @param prefixAlone the prefix where the host mounts nothing and is the table's alone */
    public ViewsApp(Views<R, S> views, ViewState<S> states, String prefixAlone) {
        this.views = views.seal();
        this.states = states;
        this.prefixAlone = prefixAlone;
        // What is no prefix is refused here, not by each handler.
        views.mount(prefixAlone);
    }

    @Override
    public final AppHandler make(HostContext context) throws Exception {
        String prefix = context.prefix();
        Mount at = views.mount(prefix.isEmpty() ? prefixAlone : prefix);
        return new ViewsHandler<>(views, at, states, states.make(at, context));
    }

    @Override
    public final Producer producer(HostContext context) throws Exception {
        return states.producer(context);
    }

    @Override
    public final int maxWorkers() {
        return states.maxWorkers();
    }

    @Override
    public final int maxThreads() {
        return states.maxThreads();
    }

    @Override
    public final int pageSlots(int loops) {
        return states.pageSlots(loops);
    }

    @Override
    public final boolean poolAllowed() {
        return states.poolAllowed();
    }

    @Override
    public final boolean handlerShared() {
        return states.handlerShared();
    }

    @Override
    public final Set<String> settings() {
        return states.settings();
    }
}
