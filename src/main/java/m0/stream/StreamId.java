package m0.stream;

/**
 * Names one open stream; once it has closed, the name never means another one.
 *
 * @param loop the index of the loop that owns its connection
 * @param slot the connection's slot on that loop
 * @param generation how often that slot had been used when the stream opened
 */
public record StreamId(int loop, int slot, int generation) { }
