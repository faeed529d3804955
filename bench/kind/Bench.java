package kind;

import java.io.IOException;

/** One kind of bench: starts servers, drives them, writes one artifact. */
interface Bench {
    void run() throws IOException;
}
