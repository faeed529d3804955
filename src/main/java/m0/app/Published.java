package m0.app;

/**
 * What became of one published frame.
 *
 * @param id the event's id, or 0 where the frame was refused before it got one
 * @param taken loops whose ring took it
 * @param refused loops whose ring was full
 * @param reason why it was refused, or empty
 */
public record Published(long id, int taken, int refused, String reason) { }
