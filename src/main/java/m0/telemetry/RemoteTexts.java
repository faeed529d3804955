package m0.telemetry;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Peers' addresses as text, kept for the connections seen lately.
 *
 * <p>Java gives an address's bytes only as a copy, so writing it anew for each request would
 * allocate. A connection keeps one {@link InetSocketAddress}; that object is the key. A key has
 * four places, which make room by turns.
 *
 * <p>Threads: its owner's. Limits: {@value #PLACES} texts; beyond so many busy connections some are
 * made again for each record.
 */
final class RemoteTexts {
    static final int PLACES = 4096;
    private static final int PLACES_PER_KEY = 4;
    private static final byte[] NONE = new byte[0];

    private final InetSocketAddress[] keys = new InetSocketAddress[PLACES];
    private final byte[][] texts = new byte[PLACES][];
    private int turn;

    /** {@code address:port}, an IPv6 address in brackets; empty for null. */
    byte[] of(InetSocketAddress remote) {
        if (remote == null) {
            return NONE;
        }
        // The hash's low bits pick a group of places; its bits are well mixed already.
        int group = System.identityHashCode(remote) & PLACES - PLACES_PER_KEY;
        for (int place = group; place < group + PLACES_PER_KEY; place++) {
            if (keys[place] == remote) {
                return texts[place];
            }
        }
        int place = group + (turn++ & PLACES_PER_KEY - 1);
        keys[place] = remote;
        texts[place] = text(remote).getBytes(StandardCharsets.UTF_8);
        return texts[place];
    }

    private static String text(InetSocketAddress remote) {
        InetAddress address = remote.getAddress();
        if (address == null) {
            return remote.getHostString() + ":" + remote.getPort();
        }
        String host = address.getHostAddress();
        return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + remote.getPort();
    }
}
