package serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** N20: one module on two hosts answers the same bytes, but for the date. */
@Gate
class RampBytesGate {
    private static final List<String> REQUESTS = List.of("GET /x/", "GET /x/now",
            "GET /x/search", "GET /x/search?sel=50&k=3", "GET /x/slow?ms=1", "GET /x/nothing",
            "POST /x/now", "OPTIONS /x/search", "PUT /x/search");
    private static final List<Integer> STATUSES =
            List.of(200, 200, 200, 200, 200, 404, 405, 204, 405);
    private static final Pattern LINK = Pattern.compile("href=\"(/x/[^\"]+)\"");

    private static ServerProcess host;
    private static ServerProcess mounted;

    @BeforeAll
    static void start() {
        host = Ramps.host().start();
        mounted = Ramps.mounted().start();
    }

    @AfterAll
    static void stop() {
        host.close();
        mounted.close();
    }

    @Test
    void nineRequestsAreAnsweredAlikeButForTheDate() {
        try (RawClient one = RawClient.connect(host); RawClient two = RawClient.connect(mounted)) {
            for (int index = 0; index < REQUESTS.size(); index++) {
                String request = REQUESTS.get(index);
                Reply first = ask(one, request).expect(STATUSES.get(index));
                Reply second = ask(two, request).expect(STATUSES.get(index));
                assertEquals(withoutDate(first), withoutDate(second), request);
                assertArrayEquals(first.body(), second.body(), request);
            }
        }
    }

    private static Reply ask(RawClient client, String request) {
        return client.send(request + " HTTP/1.1\r\nHost: a\r\n\r\n").read();
    }

    private static List<String> withoutDate(Reply reply) {
        List<String> head = new ArrayList<>(List.of(reply.version() + " " + reply.status() + " "
                + reply.reason()));
        for (Reply.Field field : reply.fields()) {
            if (!field.name().equals("Date")) {
                head.add(field.name() + ": " + field.value());
            }
        }
        return head;
    }

    @Test
    void linksLeadOnAndAre404WithoutTheirPrefix() {
        for (ServerProcess server : List.of(host, mounted)) {
            try (RawClient client = RawClient.connect(server)) {
                Matcher link = LINK.matcher(client.get("/x/").expect(200).text());
                int count = 0;
                while (link.find()) {
                    count++;
                    client.get(link.group(1)).expect(200);
                    client.get(link.group(1).substring(2)).expect(404);
                }
                assertEquals(2, count, "links of the index");
            }
        }
    }

    /** Outside the prefix each host answers as its own. */
    @Test
    void outsideThePrefixEachAnswersAsItsOwn() {
        try (RawClient one = RawClient.connect(host); RawClient two = RawClient.connect(mounted)) {
            for (String target : List.of("/xapp/now", "/xapp")) {
                Reply tables = one.get(target).expect(404);
                assertTrue(tables.header("Content-Type").startsWith("application/problem+json"),
                        tables.toString());
                Reply handlers = two.get(target).expect(404);
                assertFalse(handlers.header("Content-Type").contains("problem"),
                        handlers.toString());
            }
            one.get("/").expect(404);
            two.get("/").expect(200).expectBody("bareapp\n");
        }
    }
}
