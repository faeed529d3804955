package m0.connection;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Makes exchange records for the tests of those who observe them. */
public final class ExchangeRecords {
    private ExchangeRecords() { }

    /** An answered request on loop 0: 200, no bytes, no time taken. */
    public static ExchangeRecord answered(String method, String target) {
        return of(ExchangeRecord.Event.RESPONSE, bytes(method), bytes(target));
    }

    public static ExchangeRecord of(ExchangeRecord.Event event, byte[] method, byte[] target) {
        var record = new ExchangeRecord();
        record.event = event;
        record.method.set(method, 0, method.length);
        record.target.set(target, 0, target.length);
        record.versionMinor = 1;
        record.status = 200;
        return record;
    }

    /** A request whose request line was never read. */
    public static ExchangeRecord refusedUnread(int status) {
        var record = of(ExchangeRecord.Event.REFUSED, new byte[0], new byte[0]);
        record.versionMinor = -1;
        record.status = status;
        return record;
    }

    public static ExchangeRecord from(ExchangeRecord record, InetSocketAddress remote) {
        record.remote = remote;
        return record;
    }

    public static ExchangeRecord on(ExchangeRecord record, int loop, int thread) {
        record.loop = loop;
        record.thread = thread;
        return record;
    }

    public static ExchangeRecord measured(ExchangeRecord record, int status, long bodyBytes,
            long durationNs, long waitNs) {
        record.status = status;
        record.bytes = bodyBytes;
        record.durationNs = durationNs;
        record.waitNs = waitNs;
        return record;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
