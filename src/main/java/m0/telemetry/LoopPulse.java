package m0.telemetry;

/** What can be seen of a loop from outside. Threads: any. */
public interface LoopPulse {
    /** Its number among all loops. */
    int loop();

    /** When the pass it is inside of began, on its clock; 0 while it is parked or has ended. */
    long passSinceNs();

    /** Its thread, whose stack shows what holds it. */
    Thread thread();

    /** One of its passes was found over the limit; called by one thread alone. */
    void countStall();
}
