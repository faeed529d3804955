/**
 * A simulation at 4 Hz whose step takes 200 ms: far too long for a loop, and so stepped by the
 * producer, off every loop, while each step's state goes to the streams of all of them.
 *
 * <p>With {@code M0_SIMLOOP_ON_LOOP=1} it is stepped in loop 0's tick instead, which shows what the
 * producer is for: that loop then answers nobody for 200 ms at a time.
 *
 * <p>Start at {@link sim_loop.SimLoop}.
 */
package sim_loop;
