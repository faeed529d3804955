package harness;

/** What became of one rule; {@code sabotage/README.md} says what each means. */
enum Verdict {
    CAUGHT, MISSED, WRONG_FAILURE, NOT_LOADED, COMPILE_ERROR, STALE, HUNG, BROKEN_GATE, NOT_RUN;

    boolean isMiss() {
        return this != CAUGHT && this != NOT_RUN;
    }

    /** Whether a machine may be why it is no other: something was run, and did not go as it must. */
    boolean isOfARun() {
        return switch (this) {
            case MISSED, WRONG_FAILURE, NOT_LOADED, HUNG, BROKEN_GATE -> true;
            case CAUGHT, COMPILE_ERROR, STALE, NOT_RUN -> false;
        };
    }

    @Override
    public String toString() {
        return name().replace('_', ' ');
    }
}
