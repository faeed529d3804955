package m0.connection;

import java.util.Arrays;
import m0.app.AppHandler;
import m0.loop.Clock;
import m0.loop.PassWork;
import m0.loop.ReadyWork;
import m0.loop.StopWord;
import m0.loop.Transport;

/**
 * The connections of one loop: their slots, their deadlines and the loop's part of a drain.
 *
 * <p>Threads: the loop's. Owns: every admitted transport. Limits: {@code connectionsMax} slots;
 * deadlines are looked at once a second, so one can be that much late and never early.
 */
public final class Connections implements PassWork {
    private static final long SWEEP_NS = 1_000_000_000L;
    /** How often a drain looks for connections that it need not wait for. */
    private static final long DRAIN_SWEEP_NS = 50_000_000L;

    private final Workbench bench;
    /** Slots by index; the table grows as connections come, up to {@code connectionsMax}. */
    private Connection[] slots = new Connection[64];
    private int[] freeSlots = new int[64];
    private int freeCount;
    /** Slots that have been used at least once. */
    private int slotCount;
    private int live;
    private boolean draining;
    private long sweepDueNs;

    public Connections(int loop, ConnectionConfig config, AppHandler handler, Clock clock,
            StopWord stop, ExchangeObserver observer) {
        bench = new Workbench(loop, config, handler, clock, stop, observer);
    }

    @Override
    public void beginPass(long nowNs) {
        bench.beginPass(nowNs);
    }

    @Override
    public boolean hasRoom() {
        return live < bench.config.connectionsMax();
    }

    @Override
    public ReadyWork admit(Transport transport) {
        int slot = freeCount > 0 ? freeSlots[--freeCount] : newSlot();
        if (live++ == 0) {
            sweepDueNs = bench.nowNs + SWEEP_NS;
        }
        Connection connection = new Connection(this, bench, transport, slot);
        slots[slot] = connection;
        return connection;
    }

    private int newSlot() {
        if (slotCount == slots.length) {
            int size = Math.min(2 * slotCount, bench.config.connectionsMax());
            slots = Arrays.copyOf(slots, size);
            freeSlots = Arrays.copyOf(freeSlots, size);
        }
        return slotCount++;
    }

    /** A connection has closed its transport and needs its slot no more. */
    void release(Connection connection) {
        slots[connection.slot()] = null;
        freeSlots[freeCount++] = connection.slot();
        live--;
    }

    /** Connections that hold a slot. */
    public int live() {
        return live;
    }

    boolean draining() {
        return draining;
    }

    @Override
    public long runTimers() {
        if (live == 0) {
            return NEVER;
        }
        long untilDueNs = sweepDueNs - bench.nowNs;
        if (untilDueNs > 0) {
            return untilDueNs;
        }
        sweep();
        long intervalNs = draining ? DRAIN_SWEEP_NS : SWEEP_NS;
        sweepDueNs = bench.nowNs + intervalNs;
        return live == 0 ? NEVER : intervalNs;
    }

    private void sweep() {
        for (int slot = 0; slot < slotCount; slot++) {
            Connection connection = slots[slot];
            if (connection != null) {
                connection.onTime();
            }
        }
    }

    @Override
    public void beginDrain() {
        draining = true;
        sweepDueNs = bench.nowNs;
        for (int slot = 0; slot < slotCount; slot++) {
            Connection connection = slots[slot];
            if (connection != null) {
                connection.onDrain();
            }
        }
    }

    @Override
    public boolean isDrained() {
        return live == 0;
    }

    @Override
    public int closeAll() {
        int closed = live;
        for (int slot = 0; slot < slotCount; slot++) {
            Connection connection = slots[slot];
            if (connection != null) {
                connection.close();
            }
        }
        return closed;
    }
}
