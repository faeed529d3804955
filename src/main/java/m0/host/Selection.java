package m0.host;

import m0.app.App;

/**
 * What a start is to serve, as it was found and judged.
 *
 * <p>Threads: any; it is immutable.
 *
 * @param name what the listening line and the doctor call it
 * @param service null where there is none
 * @param laneNeeded whether it can only be served with pool threads
 * @param unshared whose handlers no two threads may share, as a refusal names it; empty for nobody's
 * @param application the check of that name
 * @param mounts the check of that name
 */
public record Selection(String name, Service service, boolean laneNeeded, String unshared,
        Check application, Check mounts) {
    /** An application that is there. */
    static Selection of(String name, Service service, Check mounts) {
        return of(name, service, Check.holds("application", name), mounts);
    }

    /** One application alone, {@code service} being null where there is none. */
    static Selection of(String name, Service service, Check application, Check mounts) {
        boolean shared = service == null || service.app().handlerShared();
        return new Selection(name, service, false, shared ? "" : "application " + name, application,
                mounts);
    }

    /** The application whose limits count, or null. */
    App app() {
        return service == null ? null : service.app();
    }

    /** How many lanes stand behind each loop where there are pool threads. */
    int lanes() {
        return service == null ? 1 : service.lanes().size();
    }
}
