/**
 * Gates for the second host: a {@code HttpHandler} beside mounted applications, and the JDK's own
 * servers replaced by ours.
 *
 * <p>Black boxes on {@link kit.ServerProcess}, served by the applications {@code bareapp} and
 * {@code ramp}. Start at {@link serve.HttpHandlerGate}.
 */
package serve;
