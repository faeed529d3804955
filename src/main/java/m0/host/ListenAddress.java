package m0.host;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;

/**
 * An address to listen on: IPv4, IPv6 with or without brackets, or {@code localhost}.
 *
 * <p>Never a host name that would have to be looked up: what one listens on must not depend on a
 * resolver. {@code 0.0.0.0} is IPv4 alone, {@code ::} is both families.
 *
 * <p>Threads: any; it is immutable.
 */
final class ListenAddress {
    private final InetAddress address;

    private ListenAddress(InetAddress address) {
        this.address = address;
    }

    /** Reads an address; null if it is none. */
    static ListenAddress read(String text) {
        try {
            if (text.equals("localhost")) {
                return new ListenAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
            }
            if (text.indexOf(':') >= 0) {
                return readVersion6(text);
            }
            byte[] parts = readVersion4(text);
            return parts == null ? null : new ListenAddress(InetAddress.getByAddress(parts));
        } catch (UnknownHostException noAddress) {
            return null;
        }
    }

    /** The JDK looks nothing up where there is a colon: it reads an address or throws. */
    private static ListenAddress readVersion6(String text) throws UnknownHostException {
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        return new ListenAddress(InetAddress.getByName(bracketed ? text : "[" + text + "]"));
    }

    /** Four decimal numbers up to 255, without leading zeros, which some read as octal. */
    private static byte[] readVersion4(String text) {
        byte[] parts = new byte[4];
        int part = 0;
        int digits = 0;
        int number = 0;
        for (int index = 0; index <= text.length(); index++) {
            char next = index == text.length() ? '.' : text.charAt(index);
            if (next == '.') {
                if (digits == 0 || part == parts.length) {
                    return null;
                }
                parts[part++] = (byte) number;
                digits = 0;
                number = 0;
            } else if (next < '0' || next > '9' || digits > 0 && number == 0) {
                return null;
            } else {
                number = number * 10 + (next - '0');
                digits++;
                if (number > 255) {
                    return null;
                }
            }
        }
        return part == parts.length ? parts : null;
    }

    InetAddress address() {
        return address;
    }

    /** The family of the listening socket. */
    ProtocolFamily family() {
        return address instanceof Inet6Address
                ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }

    /** As it stands in a URL: IPv6 in brackets, and {@code ::} short. */
    String urlHost() {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        return address.isAnyLocalAddress() ? "[::]"
                : address.isLoopbackAddress() ? "[::1]" : "[" + address.getHostAddress() + "]";
    }
}
