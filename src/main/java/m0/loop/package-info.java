/**
 * One {@code Selector} loop: passes, accepting, descriptors, waking, and the loop's part of a stop.
 *
 * <p>It knows no HTTP and no application: what there is to do in a pass it asks of
 * {@link m0.loop.PassWork}, and what a channel's events mean, of {@link m0.loop.ReadyWork}; what it
 * notices about its environment it tells a {@link m0.loop.LoopObserver}. Clock and channel are
 * handed in, so a test steps it pass by pass.
 *
 * <p>Threads: a loop belongs to the thread that runs its passes; the few methods that any thread may
 * call say so. Start reading at {@link m0.loop.Loop#runPass}.
 */
package m0.loop;
