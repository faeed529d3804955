package m0.connection;

/** What a connection borrows from its loop's bench, and the memory it takes meanwhile. */
abstract class Held {
    /** What the bench has counted of {@link #capacity} so far. */
    long heldBytes;

    /** Bytes of memory taken by what is kept. */
    abstract long capacity();

    /** Forgets everything, for the next borrower. */
    abstract void clear();
}
