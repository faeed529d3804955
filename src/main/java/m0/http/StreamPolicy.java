package m0.http;

/** What happens to a stream whose outbox is full; its own choice when it is opened. */
public enum StreamPolicy {
    /** Each frame is whole state: the frame that does not fit is dropped, and counted. */
    LATEST,
    /** Each frame matters: the stream is closed, so that its client comes back and is replayed. */
    LOG
}
