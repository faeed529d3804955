/**
 * Server processes under measurement: started fresh and pinned to a core, read from outside through
 * {@code /proc}, JMX and {@code jcmd}, and always ended.
 *
 * <p>It knows how to start ours and the floor and nothing of what they answer. Start at
 * {@link process.ServerProcess}.
 */
package process;
