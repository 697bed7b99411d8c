package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** A VM of a Proxmox host. Touched only under the world's lock. */
public final class LabVm {
    public final int vmid;
    public String host;
    /** {@code running}, {@code stopped} or {@code paused}. */
    public String status = "stopped";
    public Instant startedAt = Instant.EPOCH;
    /** Configuration as saved, pending changes applied. Keys and values in Proxmox's own form. */
    public final Map<String, String> config = new TreeMap<>();
    /** Configuration the running VM was started with; empty while stopped. */
    public final Map<String, String> running = new TreeMap<>();
    /** Share of its CPUs in use, 0 to 1, and of its memory. */
    public double cpuLoad = 0.02;
    public double memoryShare = 0.55;
    /** Proxmox's lock, for example {@code backup}; empty means none. */
    public String lock = "";

    public LabVm(int vmid, String host) {
        this.vmid = vmid;
        this.host = host;
    }
}
