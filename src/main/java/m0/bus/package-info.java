/**
 * What is published anywhere reaches every loop: one bounded ring of frames for each loop, one short
 * critical section in which a frame gets its id and is offered to all rings, and the door through
 * which child processes publish.
 *
 * <p>It knows no stream and no subscriber: a loop takes its frames from its {@link
 * m0.bus.FrameSource} and hands them to whoever it holds. It has no thread and reads no clock.
 *
 * <p>Who calls it: applications and the producer by way of {@link m0.app.Publisher}, from any
 * thread; each loop for its own ring. Start reading at {@link m0.bus.Bus#publish}.
 */
package m0.bus;
