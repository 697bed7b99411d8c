package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/** A VM of a Proxmox host. Touched only under the world's lock. */
public final class LabVm {
    public final int vmid;
    public String host;
    /** {@code running}, {@code stopped}, {@code paused}, or {@code prelaunch}: held by a backup before its guest starts. */
    public String status = "stopped";
    public Instant startedAt = Instant.EPOCH;
    /** Configuration as saved, pending changes applied. Keys and values in Proxmox's own form. */
    public final Map<String, String> config = new TreeMap<>();
    /** Configuration the running VM was started with; empty while stopped. */
    public final Map<String, String> running = new TreeMap<>();
    /**
     * PCI functions each {@code hostpciN} was given at the start, where the configuration leaves a choice: a mapping with
     * several entries for one host. Written by {@link PowerSwitch}.
     */
    public final Map<String, List<String>> passed = new TreeMap<>();
    /** When its guest has booted and answers; in the past for one that does. Counts only while it runs. */
    public Instant guestUpAt = Instant.EPOCH;
    /** When its guest, which was asked to, will have powered off; empty while nobody asked. */
    public Optional<Instant> guestOffAt = Optional.empty();
    /** Snapshots by name, in the order they were taken. */
    public final SequencedMap<String, LabSnapshot> snapshots = new LinkedHashMap<>();
    /** Share of its CPUs in use, 0 to 1, and of its memory. */
    public double cpuLoad = 0.02;
    public double memoryShare = 0.55;
    /** Proxmox's lock, for example {@code backup}; empty means none. */
    public String lock = "";

    /** It runs and its guest has booted. */
    public boolean answers(Instant now) {
        return status.equals("running") && !guestUpAt.isAfter(now);
    }

    public LabVm(int vmid, String host) {
        this.vmid = vmid;
        this.host = host;
    }

    /** Threads of its host that it keeps busy. */
    public double busyThreads() {
        return status.equals("running") ? cpuLoad * Integer.parseInt(running.getOrDefault("cores", "1")) : 0;
    }

    /** Number of its process on the host, another at each start. The lab runs no such process. */
    public int pid() {
        return 1200 + Math.floorMod(startedAt.getEpochSecond() * 31 + vmid, 30_000);
    }
}
