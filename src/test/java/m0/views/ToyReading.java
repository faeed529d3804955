package m0.views;

/** What a view of a {@link Toy} sees that only reads. */
interface ToyReading {
    int count();
}
