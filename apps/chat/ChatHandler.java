package chat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.Published;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.stream.StreamId;

/**
 * One loop's part of the room: the people whose WebSockets this loop holds.
 *
 * <p>What they say is published, and comes back to them as to everybody else: nothing is sent to a
 * person directly but the welcome, the messages the room remembers, and a refusal. Each loop sees
 * every frame ({@link #peerFrame}) and so remembers the same last messages, for whoever comes or
 * comes back to it.
 *
 * <p>Threads: the loop's. Limits: a message {@link #MESSAGE_BYTES_MAX} bytes (the host closes with
 * 1009 beyond it); {@link #BURST} messages at once and two a second from then on, what comes faster
 * is left unread until its time; a name {@link Names#LENGTH_MAX} characters.
 */
final class ChatHandler implements AppHandler {
    static final int MESSAGE_BYTES_MAX = 2048;
    /** Messages that a person may send at once. */
    static final int BURST = 10;
    private static final String CHANNEL = "chat";
    private static final long TICK_MS = 500;
    private static final int TEXT = 1;
    /** A kind of message that the endpoint does not take, RFC 6455 §7.4.1. */
    private static final int UNSUPPORTED_DATA = 1003;

    private static final Response WEB_SOCKET =
            Response.status(200).webSocket("", MESSAGE_BYTES_MAX).build();
    private static final Response PAGE = Response.status(200)
            .contentType("text/html; charset=utf-8")
            .header("Cache-Control", "no-cache")
            .header("Content-Security-Policy", "default-src 'none'; connect-src 'self';"
                    + " img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'")
            .body(ChatPage.HTML)
            .build();
    private static final Response NOT_FOUND = Response.text(404, "Not found. Try /.\n");
    private static final Response METHOD_NOT_ALLOWED =
            Response.status(405).header("Allow", "GET, HEAD").build();

    /** Somebody in the room. */
    private static final class Person {
        private final String name;
        private int allowance = BURST;
        private boolean waits;

        private Person(String name) {
            this.name = name;
        }
    }

    private final HostContext context;
    private final LongSupplier clockMs;
    private final Notices notices;
    private final History history = new History();
    private final Map<StreamId, Person> people = new HashMap<>();

    ChatHandler(HostContext context, LongSupplier clockMs) {
        this.context = context;
        this.clockMs = clockMs;
        notices = new Notices(context.worker(), clockMs.getAsLong());
    }

    @Override
    public Response beforeRequest(Request request) {
        return request.pathIs("/ws") ? WEB_SOCKET : null;
    }

    @Override
    public Response handle(Request request) {
        if (!request.pathIs("/")) {
            return NOT_FOUND;
        }
        boolean read = request.method() == Method.GET || request.method() == Method.HEAD;
        return read ? PAGE : METHOD_NOT_ALLOWED;
    }

    /** Somebody comes: they hear what was said last, then everybody hears that they are here. */
    @Override
    public void streamOpened(StreamId stream, Request request) {
        var person = new Person(Names.clean(request.queryParameter("name")));
        people.put(stream, person);
        long here = context.page().add(Chat.PEOPLE_WORD, 1);
        context.streams().subscribe(stream, CHANNEL);
        send(stream, notices.welcome(person.name, context.worker(), here));
        for (byte[] said : history.messages()) {
            send(stream, said);
        }
        publish(notices.came(person.name, here, clockMs.getAsLong()));
    }

    @Override
    public void streamClosed(StreamId stream) {
        Person person = people.remove(stream);
        if (person != null) {
            long here = context.page().add(Chat.PEOPLE_WORD, -1);
            publish(notices.left(person.name, here, clockMs.getAsLong()));
        }
    }

    @Override
    public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
        Person person = people.get(stream);
        if (opcode != TEXT) {
            context.streams().close(stream, UNSUPPORTED_DATA);
            return true;
        }
        if (person.allowance == 0) {
            person.waits = true;
            return false;
        }
        person.allowance--;
        String text = StandardCharsets.UTF_8.decode(payload).toString().strip();
        if (!text.isEmpty()) {
            Published published =
                    publish(notices.said(person.name, text, clockMs.getAsLong()));
            if (published.taken() == 0) {
                send(stream, notices.refused(published.reason()));
            }
        }
        return true;
    }

    /** Everything that is published passes here, whichever loop it came from. */
    @Override
    public void peerFrame(String channel, long id, ByteBuffer frame) {
        if (channel.equals(CHANNEL)) {
            byte[] bytes = new byte[frame.remaining()];
            frame.get(bytes);
            if (Notices.isSaid(bytes)) {
                history.add(bytes);
            }
        }
    }

    @Override
    public long tickMs() {
        return TICK_MS;
    }

    /** Buys everybody one more message, and lets those go on who waited for it. */
    @Override
    public void tick(long nowMs) {
        for (StreamId stream : List.copyOf(people.keySet())) {
            Person person = people.get(stream);
            // Going on may end in the end of any of them.
            if (person != null && person.allowance < BURST) {
                person.allowance++;
                if (person.waits) {
                    person.waits = false;
                    context.streams().resume(stream);
                }
            }
        }
    }

    private Published publish(byte[] notice) {
        return context.publisher().publish(CHANNEL, "", ByteBuffer.wrap(notice));
    }

    /** What finds no room is not sent: that person does not read. */
    private void send(StreamId stream, byte[] notice) {
        context.streams().send(stream, TEXT, ByteBuffer.wrap(notice));
    }
}
