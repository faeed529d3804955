/**
 * What every gate stands on: the packaged server in a process of its own, a client that writes
 * raw bytes and reads strictly, and the file of measured figures.
 *
 * <p>It must not know any class of the server: gates are black boxes. Called by the gates; start
 * reading at {@link kit.ServerProcess} and {@link kit.RawClient}. A class of gates carries
 * {@link kit.Gate}.
 */
package kit;
