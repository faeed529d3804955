package ramp;

import m0.views.ViewsApp;

/**
 * The module as an application: mounted where the host says, and under {@value #PREFIX} where it
 * says nothing.
 */
public final class Ramp extends ViewsApp<Search, Scan> {
    static final String PREFIX = "/x";

    public Ramp() {
        super(RampViews.table(), (at, context) -> new Scan(at), PREFIX);
    }
}
