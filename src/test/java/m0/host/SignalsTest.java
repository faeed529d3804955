package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import m0.loop.Clock;
import org.junit.jupiter.api.Test;
import sun.misc.Signal;

/** Which signals are one wish, and which is a second. */
class SignalsTest implements Signals.Target, Clock {
    private final List<String> heard = new ArrayList<>();
    private final Signals signals = new Signals(this, this);
    private long nowNs = Long.MAX_VALUE - Signals.ECHO_NS / 2;

    @Test
    void theFirstAsksForAStop() {
        signals.handle(new Signal("INT"));
        assertEquals(List.of("stop"), heard);
    }

    @Test
    void whatComesWithinATenthOfASecondIsTheSameWish() {
        signals.handle(new Signal("TERM"));
        signals.handle(new Signal("INT"));
        nowNs += Signals.ECHO_NS - 1;
        signals.handle(new Signal("TERM"));
        assertEquals(List.of("stop"), heard);
    }

    @Test
    void theTenthCountsFromTheFirstHoweverManyEchoesItHas() {
        signals.handle(new Signal("TERM"));
        nowNs += Signals.ECHO_NS / 2;
        signals.handle(new Signal("TERM"));
        nowNs += Signals.ECHO_NS / 2;
        signals.handle(new Signal("INT"));
        assertEquals(List.of("stop", "SIGINT"), heard);
    }

    @Test
    void whatComesLaterIsAnotherAndIsNamedEachTime() {
        signals.handle(new Signal("TERM"));
        nowNs += Signals.ECHO_NS;
        signals.handle(new Signal("INT"));
        signals.handle(new Signal("TERM"));
        assertEquals(List.of("stop", "SIGINT", "SIGTERM"), heard);
    }

    @Override
    public void askStop() {
        heard.add("stop");
    }

    @Override
    public void onAnother(String name) {
        heard.add(name);
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long epochMillis() {
        throw new AssertionError("a signal has no date");
    }
}
