package m0.bus;

/** Is told of child processes that publish. Threads: the loop's that owns the door. */
public interface ChildObserver {
    /** A child's connection was closed because of what it sent, or did not send. */
    void onChildCutOff(String reason);
}
