/**
 * One views module for two hosts: the same bytes and the same placement whether the table is all
 * that a host serves or is mounted beside another application.
 *
 * <p>{@link ramp.RampViews} is the module, and knows nothing of a host; {@link ramp.Ramp} hands it
 * to one. Start at {@link ramp.RampViews}. It knows the host only by {@code m0.app},
 * {@code m0.http} and {@code m0.views}.
 */
package ramp;
