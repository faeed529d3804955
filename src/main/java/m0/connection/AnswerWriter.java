package m0.connection;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import m0.http.Body;
import m0.http.Method;
import m0.http.Response;
import m0.http.Status;
import m0.http.parse.RequestHead;
import m0.http.write.ResponseHead;
import m0.sse.SseFrames;
import m0.stream.StreamFrame;
import m0.ws.Handshake;
import m0.ws.HandshakeVerdict;

/**
 * Writes the answers of one loop's connections: head and body, or the head of a stream, which it
 * then opens.
 *
 * <p>Threads: the loop's. Errors: a file that is another than its answer says is answered with 503,
 * and one that cannot be read as announced is told and answered with 500; a handshake that is none, with
 * what is wrong with it.
 */
final class AnswerWriter {
    /** Whoever asks again at once is answered from what stands there now (RFC 9110 §15.6.4). */
    private static final Response ANOTHER = Response.status(503).header("Retry-After", "0")
            .contentType("text/plain; charset=utf-8")
            .body("The file was replaced while it was asked for; ask again.\n").build();
    private static final byte[] CHUNKED_LINES =
            "Transfer-Encoding: chunked\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Connections table;
    private final Workbench bench;

    AnswerWriter(Connections table, Workbench bench) {
        this.table = table;
        this.bench = bench;
    }

    /** Writes head and body, or opens the stream that the response is. */
    void write(Connection connection, Response response, RequestHead head, long startedNs,
            ExchangeRecord.Event event) {
        if (response.body() instanceof Body.WebSocket webSocket) {
            switchProtocols(connection, response, webSocket, head, startedNs);
            return;
        }
        boolean unsized = response.body() instanceof Body.Chunks chunks && !chunks.isSized()
                || response.body() instanceof Body.Events;
        boolean hasBody = head.method() != Method.HEAD && Status.hasContent(response.status());
        boolean endless = unsized && head.versionMinor() == 0
                || response.body() instanceof Body.Untold;
        if (endless && hasBody) {
            // The end of the connection is the end of the body (RFC 9112 §6.3).
            connection.endAfterAnswer(false);
        }
        FileChannel file = null;
        if (hasBody && response.body() instanceof Body.FileRegion region) {
            Response instead = ANOTHER;
            try {
                file = RegionFile.open(region);
            } catch (IOException failure) {
                bench.observer.onApplicationFailure(bench.loop, head, failure);
                connection.endAfterAnswer(true);
                instead = Answering.FAILED;
            }
            if (file == null) {
                write(connection, instead, head, startedNs, event);
                return;
            }
        }
        connection.sender.writeHead(response, lines(response, head, unsized),
                connection.isOver(), head.keepAliveTold());
        if (hasBody && response.body() instanceof Body.Events events) {
            openEvents(connection, response, events, head, startedNs);
            return;
        }
        long length = hasBody ? writeBody(connection, response.body(), head, file) : 0;
        if (!hasBody && response.body() instanceof Body.Chunks chunks) {
            connection.sender.dropChunks(chunks.source(), what(head));
        }
        if (bench.exchangesWanted) {
            record(connection, response.status(), head, startedNs, event, length);
        }
    }

    /** The lines that a body of unknown length, or a stream, brings with it. */
    private byte[] lines(Response response, RequestHead head, boolean unsized) {
        boolean chunked = unsized && head.versionMinor() > 0
                && Status.hasContent(response.status());
        if (response.body() instanceof Body.Events) {
            return chunked ? bench.chunkedEventsLines : bench.eventsLines;
        }
        return chunked ? CHUNKED_LINES : ResponseHead.NO_LINES;
    }

    /** Writes of the body what fits now; its length, as far as it is known. */
    private long writeBody(Connection connection, Body body, RequestHead head,
            FileChannel file) {
        if (body instanceof Body.Bytes bytes) {
            connection.sender.writeBytes(bytes);
            return bytes.length();
        }
        if (body instanceof Body.FileRegion region) {
            connection.sender.writeFile(file, region);
            return region.length();
        }
        if (body instanceof Body.Chunks chunks) {
            boolean chunked = !chunks.isSized() && head.versionMinor() > 0;
            connection.sender.writeChunks(chunks, chunked, what(head),
                    new SourceWake(table.sourceMail(), connection));
        }
        return 0;
    }

    /** How the log names the chunks that answer this request. */
    static String what(RequestHead head) {
        return "the chunks of " + head.methodName() + ' ' + head.rawPath();
    }

    /** Sends what stands before the stream's own bytes, and moves what the socket did not take. */
    private void becomeStream(Connection connection, Stream opened) {
        connection.sender.flush();
        connection.become(opened);
        int quietSeconds = bench.config.streams().keepaliveSeconds();
        boolean gone = quietSeconds > 0 && !connection.transport.keepAlive(quietSeconds);
        if (gone || connection.sender.isBroken()) {
            opened.cut();
        } else if (connection.sender.isStuck()) {
            byte[] rest = connection.sender.takeRest();
            opened.outbox.addUncounted(rest, 0, rest.length);
        }
    }

    /** The head is written; then initial frames, what was missed, and what is published from now on. */
    private void openEvents(Connection connection, Response response, Body.Events body,
            RequestHead head, long startedNs) {
        LoopStreams streams = table.streams();
        long lastId = body.replay() ? SseFrames.lastEventId(head) : -1;
        boolean covered = lastId >= 0
                && streams.journal().covers(body.channel(), lastId, table.headId());
        EventStream opened = new EventStream(streams, connection, connection.transport,
                table.nextId(connection.slot()),
                streamRecord(connection, response, head, startedNs), body.policy(),
                head.versionMinor() > 0, covered ? lastId : 0,
                !connection.receiver.hasMore() && !connection.receiver.isEnded());
        becomeStream(connection, opened);
        for (byte[] frame : body.initialFrames()) {
            opened.addFirst(StreamFrame.of(0, frame, frame.length));
        }
        if (covered) {
            for (StreamFrame frame : streams.journal().after(body.channel(), lastId)) {
                opened.addFirst(frame);
            }
        } else if (lastId >= 0) {
            opened.addFirst(EventStream.GAP);
        }
        opened.subscribe(body.channel());
        streams.onOpen(opened, head);
        if (connection.receiver.isEnded()) {
            opened.beginProbe();
        }
        onOpened(opened);
    }

    /** Answers a handshake with 101, or with what is wrong with it (RFC 6455 §4.2). */
    private void switchProtocols(Connection connection, Response response, Body.WebSocket body,
            RequestHead head, long startedNs) {
        HandshakeVerdict verdict = Handshake.check(head, bench.config.streams().origins());
        if (verdict != HandshakeVerdict.SWITCH) {
            Response refusal = verdict.response();
            if (refusal.close() || head.headerHasToken("Upgrade", "websocket")) {
                connection.endAfterAnswer(true);
            }
            write(connection, refusal, head, startedNs, ExchangeRecord.Event.RESPONSE);
            return;
        }
        byte[] lines = bench.webSocketLines(Handshake.accept(head.header("Sec-WebSocket-Key")));
        connection.sender.writeHead(response, lines, false, false);
        int bytesMax = bench.config.streams().messageBytesMax();
        WebSocketStream opened = new WebSocketStream(table.streams(), connection,
                connection.transport, table.nextId(connection.slot()),
                streamRecord(connection, response, head, startedNs), body.policy(),
                body.messageBytesMax() == 0 ? bytesMax
                        : Math.min(body.messageBytesMax(), bytesMax));
        becomeStream(connection, opened);
        table.streams().onOpen(opened, head);
        onOpened(opened);
        if (connection.receiver.hasMore()) {
            opened.take(bench.window, bench.windowFrom, bench.windowTo);
            bench.windowFrom = bench.windowTo;
        }
        if (connection.receiver.isEnded()) {
            opened.onInputEnd();
        }
    }

    private void onOpened(Stream opened) {
        table.streams().note(opened);
        if (table.draining()) {
            opened.beginFarewell();
        }
    }

    /** Tells the log that a stream has opened; what it is to tell of the end, or null. */
    private ExchangeRecord streamRecord(Connection connection, Response response,
            RequestHead head, long startedNs) {
        if (!bench.exchangesWanted) {
            return null;
        }
        record(connection, response.status(), head, startedNs,
                ExchangeRecord.Event.STREAM_OPEN, 0);
        return bench.record.copy();
    }

    private void record(Connection connection, int status, RequestHead head, long startedNs,
            ExchangeRecord.Event event, long length) {
        ExchangeRecord record = bench.record;
        record.event = event;
        record.remote = connection.remote;
        record.status = status;
        record.bytes = length;
        record.durationNs = bench.clock.nanoTime() - startedNs;
        record.thread = bench.answeredBy == null ? -1 : bench.answeredBy.thread();
        record.waitNs = bench.answeredBy == null ? 0 : bench.answeredBy.waitedNs();
        record.loop = bench.loop;
        record.takeRequestLine(head);
        if (!connection.sender.keepRecord(record)) {
            bench.observer.onExchange(record);
        }
    }
}
