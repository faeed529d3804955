/**
 * Gates of route tables: what a table says to whom on the wire, where its routes are answered, and
 * the page of notes as plain forms. Black boxes around {@code target/host.jar}.
 *
 * <p>{@link views.TableGate} serves views_check, whose routes are there to be seen through;
 * {@link views.RampGate} and {@link views.RampPlacementGate} serve ramp, {@link views.NotesGate}
 * fragment_notes. Start at {@link views.TableGate}.
 */
package views;
