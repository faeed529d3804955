package serve;

import kit.ServerProcess;

/** Ways to start the second host. */
final class Serving {
    private Serving() {
    }

    /** {@code serve} with its default application, on a free port of 127.0.0.1. */
    static ServerProcess.Plan bareapp() {
        return ServerProcess.bare().args("serve").set("M0_HOST", "127.0.0.1").set("M0_PORT", "0");
    }

    /** The index of the first byte that is not the pattern's, or −1: byte i is i mod 251. */
    static int firstWrong(byte[] body, int from) {
        for (int index = 0; index < body.length; index++) {
            if ((body[index] & 0xff) != (from + index) % 251) {
                return from + index;
            }
        }
        return -1;
    }
}
