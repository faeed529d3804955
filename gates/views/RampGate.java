package views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** N18, N19: ramp as the host's own application, and that a lane changes no byte of it. */
@Gate
class RampGate {
    private static final Pattern LINK = Pattern.compile("href=\"(/[^\"]+)\"");
    /** Method and target by turns. */
    private static final List<String> ASKED = List.of("GET", "/x", "GET", "/x/", "GET", "/x/now",
            "GET", "/x/search", "GET", "/x/search?sel=60&k=5", "GET", "/x/slow?ms=20",
            "GET", "/x/nothing", "DELETE", "/x/now", "OPTIONS", "/x/search", "POST", "/x/search",
            "HEAD", "/x/now");

    @Test
    void aLaneChangesNoByte() {
        assertEquals(answers("0"), answers("2"), "answers without a lane, and with one");
    }

    private static List<String> answers(String threads) {
        List<String> answers = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("ramp")
                .set("M0_BLOCKING_THREADS", threads).start();
                RawClient client = RawClient.connect(server)) {
            for (int index = 0; index < ASKED.size(); index += 2) {
                String method = ASKED.get(index);
                Reply reply = client.send(method + " " + ASKED.get(index + 1)
                        + " HTTP/1.1\r\nHost: gate\r\n\r\n").read(method);
                answers.add(method + " " + ASKED.get(index + 1) + ": " + withoutDate(reply));
            }
        }
        return answers;
    }

    private static String withoutDate(Reply reply) {
        List<Reply.Field> fields = reply.fields().stream()
                .filter(field -> !field.name().equals("Date")).toList();
        return reply.status() + " " + fields + " " + reply.text();
    }

    @Test
    void itsLinksLeadIntoThePrefixAndNowhereWithoutIt() {
        try (ServerProcess server = ServerProcess.app("ramp").start();
                RawClient client = RawClient.connect(server)) {
            Matcher links = LINK.matcher(client.get("/x").expect(200).text());
            int count = 0;
            while (links.find()) {
                assertTrue(links.group(1).startsWith("/x/"), links.group(1));
                client.get(links.group(1)).expect(200);
                client.get(links.group(1).substring(2)).expect(404);
                count++;
            }
            assertEquals(2, count, "links of the index");
        }
    }

    @Test
    void outsideThePrefixTheTableKnowsNothing() {
        try (ServerProcess server = ServerProcess.app("ramp").start();
                RawClient client = RawClient.connect(server)) {
            for (String target : List.of("/", "/xapp", "/xapp/now", "/now", "/%78/now", "//x/now",
                    "/x%2Fnow", "/X/now")) {
                Reply reply = client.get(target).expect(404);
                assertEquals("application/problem+json", reply.header("Content-Type"), target);
            }
        }
    }

    @Test
    void theSearchIsTheSameEveryTimeAndItsFilterIsFelt() {
        try (ServerProcess server = ServerProcess.app("ramp").start();
                RawClient client = RawClient.connect(server)) {
            String first = client.get("/x/search?sel=40&k=3").expect(200).text();
            assertTrue(first.matches("\\{\"sel\":40,\"rows\":1[0-9]{3},\"best\":\\["
                    + "(\\{\"row\":[0-9]+,\"score\":[0-9.]+\\},?){3}\\]\\}\n"), first);
            client.get("/x/search?sel=90&k=100").expect(200);
            client.get("/x/search?sel=40&k=3").expect(200).expectBody(first);
            client.get("/x/search?sel=0").expect(200)
                    .expectBody("{\"sel\":0,\"rows\":0,\"best\":[]}\n");
            client.get("/x/search?sel=101").expect(400);
            client.get("/x/slow?ms=10001").expect(400);
        }
    }
}
