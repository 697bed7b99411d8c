package dev.pitwall.lab.world;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A task of a Proxmox host: started by a call, with a log that grows while it runs. Touched only under the world's lock. */
public final class LabTask {
    /** {@code UPID:pve1:0001A2B3:00C4D5E6:65A1B2C3:qmstart:121:root@pam:}. */
    public final String upid;
    public final String node;
    /** For example {@code qmstart}. */
    public final String type;
    /** What it is about, mostly a VM's number; may be empty. */
    public final String about;
    /** {@code user@realm} or {@code user@realm!token}. */
    public final String user;
    public final int pid;
    public final long processStart;
    public final Instant startedAt;
    public Optional<Instant> endedAt = Optional.empty();
    /** {@code OK}, {@code WARNINGS: 2} or the error; empty while it runs. */
    public String exitStatus = "";
    public int warnings;
    public final List<String> log = new ArrayList<>();

    public LabTask(String node, String type, String about, String user, int pid, long processStart, Instant startedAt) {
        this.upid = String.format("UPID:%s:%08X:%08X:%08X:%s:%s:%s:", node, pid, processStart,
                startedAt.getEpochSecond(), type, about, user);
        this.node = node;
        this.type = type;
        this.about = about;
        this.user = user;
        this.pid = pid;
        this.processStart = processStart;
        this.startedAt = startedAt;
    }
}
