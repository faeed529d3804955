package m0.stream;

/**
 * Names one open stream; once it has closed, the name never means another one.
 *
 * @param loop the index of the loop that owns its connection
 * @param slot the connection's slot on that loop
 * @param generation how often that slot had been used when the stream opened
 */
public record StreamId(int loop, int slot, int generation) {
    // By hand, since a record's own methods are linked at their first use: on a loop, at a stream.

    @Override
    public boolean equals(Object other) {
        return other instanceof StreamId id && id.loop == loop && id.slot == slot
                && id.generation == generation;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * loop + slot) + generation;
    }

    @Override
    public String toString() {
        return "stream " + loop + '.' + slot + '.' + generation;
    }
}
