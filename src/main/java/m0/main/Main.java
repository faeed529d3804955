package m0.main;

import m0.host.Host;

/** The jar's entry: serves the application that {@code M0_APP} names. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        System.exit(Host.serve(args));
    }
}
