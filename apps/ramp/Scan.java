package ramp;

import m0.views.Mount;

/**
 * The state of one handler: where it is mounted, and room for the scores of one scan, so that a
 * scan allocates nothing that grows with the corpus.
 *
 * <p>Threads: its handler's.
 */
final class Scan implements Search {
    /** What a row scores that was not looked at. */
    private static final float NONE = Float.NEGATIVE_INFINITY;

    private final Mount at;
    private final Corpus corpus = Corpus.SEEDED;
    private final float[] scores = new float[Corpus.ROWS];

    Scan(Mount at) {
        this.at = at;
    }

    @Override
    public Mount at() {
        return at;
    }

    /**
     * Scores the rows whose tag is below {@code tagBelow}.
     *
     * @param tagBelow 0 to {@link Corpus#TAGS}
     * @return how many there are
     */
    int score(int tagBelow) {
        int count = 0;
        for (int row = 0; row < scores.length; row++) {
            boolean chosen = corpus.tag(row) < tagBelow;
            scores[row] = chosen ? corpus.score(row) : NONE;
            count += chosen ? 1 : 0;
        }
        return count;
    }

    /** The row of the best score left, the first of equals, and takes it away; −1 for none. */
    int takeBest() {
        int best = -1;
        for (int row = 0; row < scores.length; row++) {
            if (scores[row] > (best < 0 ? NONE : scores[best])) {
                best = row;
            }
        }
        if (best >= 0) {
            scores[best] = NONE;
        }
        return best;
    }
}
