package m0.app;

import java.nio.ByteBuffer;
import m0.stream.StreamId;

/** This loop's open streams, as an application may use them. Threads: the loop's alone. */
public interface Streams {
    /** Adds a channel to those whose frames the stream carries; false if it has closed. */
    boolean subscribe(StreamId stream, String channel);

    /** Sends one WebSocket message (opcode 1 or 2); false if the stream has closed or is full. */
    boolean send(StreamId stream, int opcode, ByteBuffer payload);

    /** Closes it: an SSE stream at once, a WebSocket with this code and a wait for the echo. */
    boolean close(StreamId stream, int code);

    /** Reads on after a message was answered "not now". */
    boolean resume(StreamId stream);
}
