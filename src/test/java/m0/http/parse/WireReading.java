package m0.http.parse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import m0.bytes.GrowableBytes;
import m0.bytes.Span;
import m0.http.Limits;
import m0.http.Request;

/**
 * What came of reading one message.
 *
 * @param outcome of the last call
 * @param violation why it is refused, or null
 * @param position the index after the message, or of the refused byte
 * @param facts what the message says, one {@code key: value} a line; empty unless it is done
 */
record WireReading(Outcome outcome, ProtocolViolation violation, int position,
        List<String> facts) {

    /** Gives the bytes up to each of {@code ends} by turns, as reads from a socket would. */
    static WireReading of(byte[] input, Limits limits, int... ends) {
        return new Reader(limits).read(input, 0, ends);
    }

    /** As a connection does it: one head and one chunked body for request after request. */
    static final class Reader {
        private final RequestHead head;
        private final Limits limits;
        private final ChunkedBody chunked = new ChunkedBody();
        private final GrowableBytes body = new GrowableBytes();

        Reader(Limits limits) {
            this.limits = limits;
            head = new RequestHead(limits);
        }

        WireReading read(byte[] input, int from, int... ends) {
            head.begin(from);
            chunked.begin(limits);
            body.clear();
            int bodyFrom = -1;
            Outcome outcome = Outcome.NEED_MORE;
            for (int end : ends) {
                // Each read comes in an array of its own, which holds nothing beyond its end.
                byte[] array = Arrays.copyOf(input, end);
                if (bodyFrom < 0) {
                    outcome = head.parse(array, end);
                    if (outcome == Outcome.BAD) {
                        break;
                    }
                    if (outcome == Outcome.NEED_MORE) {
                        continue;
                    }
                    bodyFrom = head.position();
                }
                head.parse(array, end);
                outcome = readBody(array, bodyFrom, end);
                if (outcome != Outcome.NEED_MORE) {
                    return new WireReading(outcome, chunked.violation(), position(bodyFrom),
                            facts(outcome));
                }
                bodyFrom = head.framing() == Framing.CHUNKED ? chunked.position() : bodyFrom;
            }
            return new WireReading(outcome, head.violation(), head.position(), facts(outcome));
        }

        private Outcome readBody(byte[] array, int from, int to) {
            switch (head.framing()) {
                case CHUNKED -> {
                    Outcome outcome = chunked.decode(array, from, to, body);
                    head.attachBody(body.array(), 0, body.length());
                    return outcome;
                }
                case LENGTH -> {
                    if (to - from < head.contentLength()) {
                        return Outcome.NEED_MORE;
                    }
                    head.attachBody(array, from, (int) head.contentLength());
                }
                case NONE -> { }
            }
            return Outcome.DONE;
        }

        private int position(int bodyFrom) {
            return switch (head.framing()) {
                case CHUNKED -> chunked.position();
                case LENGTH -> bodyFrom + (int) head.contentLength();
                case NONE -> bodyFrom;
            };
        }

        private List<String> facts(Outcome outcome) {
            if (outcome == Outcome.NEED_MORE) {
                return List.of();
            }
            return outcome == Outcome.DONE ? accepted() : known();
        }

        private List<String> known() {
            if (!head.targetKnown()) {
                return List.of();
            }
            var method = new Span();
            var target = new Span();
            head.methodSpan(method);
            head.targetSpan(target);
            return List.of("known: " + method + " " + target);
        }

        private List<String> accepted() {
            List<String> facts = factsOf(head);
            if (!facts.equals(factsOf(head.copy()))) {
                throw new AssertionError("the copy differs: " + factsOf(head.copy()));
            }
            String length = head.framing() == Framing.LENGTH ? " " + head.contentLength() : "";
            facts.add("framing: " + head.framing() + length);
            facts.add("connection: " + (head.keepAlive() ? "keep" : "close")
                    + (head.keepAliveTold() ? " told" : ""));
            facts.add("continue: " + (head.expectsContinue() ? "yes" : "no"));
            facts.add("server-wide: " + (head.isServerWideOptions() ? "yes" : "no"));
            return facts;
        }

        private static List<String> factsOf(Request request) {
            var facts = new ArrayList<String>();
            facts.add("accepted: " + request.methodName() + " " + request.target() + " HTTP/1."
                    + request.versionMinor());
            facts.add("method: " + request.method());
            facts.add(line("path", request.path()));
            facts.add(line("query", request.query()));
            facts.add(line("authority", request.authority()));
            facts.add("fields: " + request.fieldCount());
            for (int index = 0; index < request.fieldCount(); index++) {
                facts.add(line("field: " + request.fieldName(index), request.fieldValue(index)));
            }
            facts.add(line("body", WireText.write(request.body())));
            return facts;
        }

        private static String line(String key, String value) {
            return value.isEmpty() ? key + ":" : key + ": " + value;
        }
    }
}
