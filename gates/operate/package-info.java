/**
 * Gates over what an operator meets: refusals and the doctor, where it listens, how it stops, what
 * it says on stderr and stdout.
 *
 * <p>Black boxes: they start the packaged jar through {@link kit.ServerProcess} and know its lines,
 * its exit codes and what stands on the wire. Start at {@link operate.RefusalGate}.
 */
package operate;
