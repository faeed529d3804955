package m0.main;

/** The jar's entry. Until the host lands it serves nothing and says so. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        System.err.println("host: nothing to serve yet (build a later commit)");
        System.exit(78);
    }
}
