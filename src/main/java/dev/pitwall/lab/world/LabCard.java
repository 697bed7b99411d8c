package dev.pitwall.lab.world;

/** A physical GPU. Touched only under the world's lock. */
public final class LabCard {
    /** {@code host/0000:01:00}. */
    public final String id;
    public final String host;
    /** Slot on the host, {@code 0000:01:00}. */
    public final String slot;
    /** As NVML names it, for example {@code NVIDIA RTX A1000}. */
    public String product = "";
    public String uuid = "";
    public long vramMiB;
    public double powerLimitW;
    public CardEnvelope envelope = new CardEnvelope(5, 30, 75, 210, 1700, 405, 6000, 200);
    /** Slot in the machine that uses it, {@code 0000:01:00}; empty while none does. */
    public String guestAddress = "";

    /**
     * Figures of the moment. They follow from what runs on the card; only the lab's own life writes them, a server
     * loads a model by adding it to {@link LabModelServer#loaded}.
     */
    public double temperatureC = 30;
    public double powerW = 5;
    public double utilizationPercent;
    public long memoryUsedMiB;
    public long memoryReservedMiB;
    public int smClockMHz;
    public int memoryClockMHz;
    public long energyMilliJoule;
    /** Work and memory of processes other than the card's model server, such as notebooks. */
    public double otherLoadPercent;
    public long otherMemoryMiB;
    /** The last Xid; 0 means none since the driver was loaded. */
    public int lastXid;
    /** Gone from the bus until a power cycle. */
    public boolean lost;

    public LabCard(String id, String host, String slot) {
        this.id = id;
        this.host = host;
        this.slot = slot;
    }
}
