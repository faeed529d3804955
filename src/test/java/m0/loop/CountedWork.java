package m0.loop;

import java.util.ArrayList;
import java.util.List;

/** Takes connections and does nothing with them; what it answers a loop is set by the test. */
final class CountedWork implements PassWork {
    final List<Transport> admitted = new ArrayList<>();
    int room = Integer.MAX_VALUE;
    long untilDueNs;
    boolean mail;
    int mailTurns;

    @Override
    public void beginPass(long nowNs) {
    }

    @Override
    public boolean hasRoom() {
        return admitted.size() < room;
    }

    @Override
    public ReadyWork admit(Transport transport) {
        admitted.add(transport);
        return (readable, writable) -> { };
    }

    @Override
    public int live() {
        return admitted.size();
    }

    @Override
    public boolean hasMail() {
        return mail;
    }

    @Override
    public boolean runMail() {
        mailTurns++;
        return false;
    }

    @Override
    public void flush() {
    }

    @Override
    public long runTimers() {
        return untilDueNs;
    }

    @Override
    public void beginDrain() {
    }

    @Override
    public boolean isDrained() {
        return true;
    }

    @Override
    public int closeAll() {
        return 0;
    }
}
