package kind;

/**
 * The shape of a load.
 *
 * @param connections kept alive
 * @param depth       requests in one write
 * @param bound       the ratio to the floor, CPU time per request, that ours shall hold
 */
record Load(int connections, int depth, double bound) {
    static final Load FEW = new Load(16, 1, 1.08);
    static final Load MANY = new Load(256, 1, 1.08);
    static final Load PIPELINED = new Load(64, 16, 1.3);

    /** {@code 16x1}: connections times depth. */
    String name() {
        return connections + "x" + depth;
    }
}
