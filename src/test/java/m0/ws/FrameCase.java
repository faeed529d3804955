package m0.ws;

import static m0.ws.ClientFrames.closing;
import static m0.ws.ClientFrames.octets;
import static m0.ws.ClientFrames.pattern;
import static m0.ws.ClientFrames.utf8;

import java.util.ArrayList;
import java.util.List;

/**
 * A sequence of frames and what a reader must say to it. Where the last event is a violation, the
 * sequence ends with the byte that breaks the rule.
 */
record FrameCase(String name, byte[] input, List<String> events) {
    /** The largest message of every case. */
    static final int MESSAGE_BYTES_MAX = 70_000;

    private static final byte[] NONE = new byte[0];

    boolean isRefused() {
        return !events.isEmpty() && events.get(events.size() - 1).startsWith("violation");
    }

    static List<FrameCase> all() {
        var cases = new ArrayList<FrameCase>();
        messages(cases);
        lengths(cases);
        fragments(cases);
        heads(cases);
        controls(cases);
        closes(cases);
        texts(cases);
        limits(cases);
        return cases;
    }

    private static void messages(List<FrameCase> cases) {
        add(cases, "a text", frames().text("hello"), "text hello");
        add(cases, "an empty text", frames().text(""), "text ");
        add(cases, "an empty binary message", frames().binary(0), "binary ");
        add(cases, "three messages in a row", frames().text("a").binary(3).text("bcde"),
                "text a", "binary " + shown(3), "text bcde");
        for (int bytes = 1; bytes <= 9; bytes++) {
            add(cases, "a mask over " + bytes + " bytes", frames().binary(bytes),
                    "binary " + shown(bytes));
        }
        add(cases, "a key of zeros", frames().head(0x82, 0x80, 2, 0).raw(0, 0, 0, 0, 'a', 'b'),
                "binary ab");
        add(cases, "nothing behind a message that is cut", frames().head(0x81, 0x80, 5, 0)
                .raw(1, 2, 3, 4, 'a'));
    }

    private static void lengths(List<FrameCase> cases) {
        for (int bytes : new int[] {125, 126, 127, 65_535, 65_536}) {
            add(cases, "a message of " + bytes + " bytes", frames().binary(bytes),
                    "binary " + shown(bytes));
        }
        add(cases, "125 written in two bytes", frames().head(0x82, 0x80, 125, 2),
                "violation 1002 ws_length");
        add(cases, "0 written in two bytes", frames().head(0x82, 0x80, 0, 2),
                "violation 1002 ws_length");
        add(cases, "65535 written in eight bytes", frames().head(0x82, 0x80, 65_535, 8),
                "violation 1002 ws_length");
        add(cases, "a length with its highest bit set",
                frames().head(0x82, 0x80, 0x8000_0000_0001_0000L, 8), "violation 1002 ws_length");
    }

    private static void fragments(List<FrameCase> cases) {
        add(cases, "a text in three fragments", frames().frame(false, 1, utf8("one "))
                .frame(false, 0, utf8("two ")).frame(true, 0, utf8("three")),
                "text one two three");
        add(cases, "empty fragments", frames().frame(false, 2, NONE).frame(false, 0, NONE)
                .frame(true, 0, NONE).text("next"), "binary ", "text next");
        add(cases, "pings and pongs between fragments", frames().frame(false, 1, utf8("a"))
                .ping("p").frame(false, 0, utf8("b")).frame(true, WsFrames.PONG, utf8("q"))
                .frame(true, 0, utf8("c")), "ping p", "pong q", "text abc");
        add(cases, "a close between fragments", frames().frame(false, 1, utf8("a"))
                .close(1000, ""), "close 1000");
        add(cases, "a lone continuation", frames().text("a").raw(0x80),
                "text a", "violation 1002 ws_continuation");
        add(cases, "a lone continuation that goes on", frames().raw(0x00),
                "violation 1002 ws_continuation");
        add(cases, "a continuation behind a complete message", frames()
                .frame(false, 1, utf8("a")).frame(true, 0, utf8("b")).raw(0x80),
                "text ab", "violation 1002 ws_continuation");
        add(cases, "a text inside a message", frames().frame(false, 2, utf8("a")).raw(0x81),
                "violation 1002 ws_message_inside_message");
        add(cases, "a binary frame inside a text", frames().frame(false, 1, utf8("a")).raw(0x02),
                "violation 1002 ws_message_inside_message");
    }

    private static void heads(List<FrameCase> cases) {
        for (int bit : new int[] {0x40, 0x20, 0x10}) {
            add(cases, "reserved bit " + bit, frames().text("a").raw(0x81 | bit),
                    "text a", "violation 1002 ws_reserved_bits");
        }
        for (int opcode : new int[] {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
            add(cases, "opcode " + opcode, frames().raw(0x80 | opcode),
                    "violation 1002 ws_opcode");
        }
        add(cases, "a frame without a mask", frames().text("a").raw(0x81, 0x05),
                "text a", "violation 1002 ws_unmasked");
        add(cases, "an empty frame without a mask", frames().raw(0x81, 0x00),
                "violation 1002 ws_unmasked");
        add(cases, "a ping without a mask", frames().raw(0x89, 0x00),
                "violation 1002 ws_unmasked");
    }

    private static void controls(List<FrameCase> cases) {
        add(cases, "an empty ping and pong", frames().ping("").frame(true, 10, NONE),
                "ping ", "pong ");
        add(cases, "a ping of 125 bytes", frames().frame(true, 9, pattern(125)).ping("x"),
                "ping " + shown(125), "ping x");
        add(cases, "a ping of 126 bytes", frames().raw(0x89, 0xfe),
                "violation 1002 ws_control_too_long");
        add(cases, "a pong with a length in eight bytes", frames().raw(0x8a, 0xff),
                "violation 1002 ws_control_too_long");
        add(cases, "a ping in fragments", frames().text("a").raw(0x09),
                "text a", "violation 1002 ws_control_fragmented");
        add(cases, "a close in fragments", frames().raw(0x08),
                "violation 1002 ws_control_fragmented");
    }

    private static void closes(List<FrameCase> cases) {
        add(cases, "a close without a code", frames().frame(true, 8, NONE), "close 1005");
        for (int code : new int[] {1000, 1003, 1007, 1011, 1012, 1014, 3000, 3999, 4999}) {
            add(cases, "a close with " + code, frames().close(code, "why"), "close " + code);
        }
        add(cases, "a close with a reason of 123 bytes", frames().close(1001, "é".repeat(61) + "x"),
                "close 1001");
        for (int code : new int[] {0, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65535}) {
            add(cases, "a close with " + code, frames().close(code, ""),
                    "violation 1002 ws_close_code");
        }
        add(cases, "a close with one byte", frames().raw(0x88, 0x81),
                "violation 1002 ws_close_length");
        add(cases, "a close whose reason is not UTF-8", frames().frame(true, 8,
                closing(1000, octets(0xff))), "violation 1007 ws_utf8");
        add(cases, "a close whose reason ends within a character", frames().frame(true, 8,
                closing(1000, octets('a', 0xc3))), "violation 1007 ws_utf8");
        add(cases, "a close in a text that ends within a character", frames()
                .frame(false, 1, octets(0xc3)).close(1000, "é"), "close 1000");
    }

    private static void texts(List<FrameCase> cases) {
        String all = "aé€\ud83d\ude00\u0000\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff"
                + "\udbff\udfff";
        add(cases, "a text of characters of every length", frames().text(all),
                "text " + Transcript.shown(utf8(all)));
        add(cases, "a character parted between frames", frames()
                .frame(false, 1, octets(0xf0, 0x9f)).frame(false, 0, octets(0x98))
                .frame(true, 0, octets(0x80)),
                "text " + Transcript.shown(utf8("\ud83d\ude00")));
        add(cases, "any bytes in a binary message", frames().frame(true, 2, octets(0xff, 0xc0)),
                "binary ÿÀ");
        wrongText(cases, "a lone continuation byte", 0x80);
        wrongText(cases, "a byte that is in no character", 0xff);
        wrongText(cases, "an overlong form of two bytes", 0xc0);
        wrongText(cases, "an overlong form of three bytes", 0xe0, 0x9f);
        wrongText(cases, "an overlong form of four bytes", 0xf0, 0x8f);
        wrongText(cases, "a surrogate", 0xed, 0xa0);
        wrongText(cases, "a character beyond the last one", 0xf4, 0x90);
        wrongText(cases, "a character that is broken off", 0xe2, 0x82, 'a');
        add(cases, "a wrong byte in a second fragment", frames().frame(false, 1, octets(0xe2))
                .head(0x80, 0x80, 9, 0).masked(octets(0x82, 'a')), "violation 1007 ws_utf8");
        add(cases, "a text that ends within a character", frames().text("a")
                .frame(false, 1, octets(0xe2, 0x82)).frame(true, 0, NONE),
                "text a", "violation 1007 ws_utf8");
    }

    /** Announces more than comes: the wrong byte must be told at once. */
    private static void wrongText(List<FrameCase> cases, String name, int... octets) {
        add(cases, name, frames().text("before").head(0x81, 0x80, 99, 0).masked(octets(octets)),
                "text before", "violation 1007 ws_utf8");
    }

    private static void limits(List<FrameCase> cases) {
        int max = MESSAGE_BYTES_MAX;
        add(cases, "a message as large as the limit", frames().binary(max),
                "binary " + shown(max));
        add(cases, "one byte more than the limit", frames().text("a")
                .head(0x82, 0x80, max + 1, 8), "text a", "violation 1009 ws_message_too_large");
        add(cases, "an enormous length", frames().head(0x81, 0x80, Long.MAX_VALUE, 8),
                "violation 1009 ws_message_too_large");
        add(cases, "fragments that pass the limit together", frames()
                .frame(false, 2, pattern(max - 2)).head(0x00, 0x80, 3, 0),
                "violation 1009 ws_message_too_large");
        ClientFrames many = frames().frame(false, 1, NONE);
        for (int count = 1; count < MessageReader.FRAGMENTS_MAX - 1; count++) {
            many.frame(false, 0, NONE);
        }
        byte[] allButOne = many.bytes();
        add(cases, "1,024 fragments", frames().rawBytes(allButOne).frame(true, 0, NONE)
                .rawBytes(allButOne).frame(true, 0, NONE), "text ", "text ");
        add(cases, "1,025 fragments", frames().rawBytes(allButOne).frame(false, 0, NONE).raw(0x80),
                "violation 1008 ws_fragments");
        ClientFrames pings = frames();
        var answers = new ArrayList<String>();
        for (int count = 0; count < MessageReader.CONTROL_FRAMES_MAX; count++) {
            pings.frame(true, count % 2 == 0 ? 9 : 10, NONE);
            answers.add(count % 2 == 0 ? "ping " : "pong ");
        }
        byte[] hundred = pings.bytes();
        var closed = new ArrayList<>(answers);
        closed.add("close 1000");
        add(cases, "a hundred pings and pongs and a close",
                frames().rawBytes(hundred).close(1000, ""), closed.toArray(new String[0]));
        answers.add("violation 1008 ws_control_rate");
        add(cases, "a hundred and one pings and pongs", frames().rawBytes(hundred).raw(0x89),
                answers.toArray(new String[0]));
    }

    private static ClientFrames frames() {
        return new ClientFrames();
    }

    private static String shown(int bytes) {
        return Transcript.shown(pattern(bytes));
    }

    private static void add(List<FrameCase> cases, String name, ClientFrames frames,
            String... events) {
        cases.add(new FrameCase(name, frames.bytes(), List.of(events)));
    }
}
