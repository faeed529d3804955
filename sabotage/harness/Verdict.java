package harness;

/** What became of one rule; {@code sabotage/README.md} says what each means. */
enum Verdict {
    CAUGHT, MISSED, WRONG_FAILURE, NOT_LOADED, COMPILE_ERROR, STALE, HUNG, BROKEN_GATE, NOT_RUN;

    boolean isMiss() {
        return this != CAUGHT && this != NOT_RUN;
    }

    @Override
    public String toString() {
        return name().replace('_', ' ');
    }
}
