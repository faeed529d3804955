package ramp;

import java.util.Random;

/**
 * What is searched: {@value #ROWS} rows of {@value #COLUMNS} numbers, each with a tag, and one
 * question. The same in every process, since {@link Random} is specified to the bit.
 *
 * <p>Threads: any; it is immutable, and one for all handlers.
 */
final class Corpus {
    static final int ROWS = 4096;
    static final int COLUMNS = 256;
    /** Tags are 0 to 99, so that a bound on them is a percentage of the rows, about. */
    static final int TAGS = 100;
    static final Corpus SEEDED = new Corpus(4096 * 256);

    private final float[] numbers = new float[ROWS * COLUMNS];
    private final float[] question = new float[COLUMNS];
    private final byte[] tags = new byte[ROWS];

    private Corpus(long seed) {
        Random random = new Random(seed);
        fill(numbers, random);
        fill(question, random);
        for (int row = 0; row < ROWS; row++) {
            tags[row] = (byte) random.nextInt(TAGS);
        }
    }

    private static void fill(float[] array, Random random) {
        for (int index = 0; index < array.length; index++) {
            array[index] = 2 * random.nextFloat() - 1;
        }
    }

    int tag(int row) {
        return tags[row];
    }

    /** How well a row answers the question: their dot product. */
    float score(int row) {
        float sum = 0;
        int at = row * COLUMNS;
        for (int column = 0; column < COLUMNS; column++) {
            sum += numbers[at + column] * question[column];
        }
        return sum;
    }
}
