package dev.pitwall.lab.world;

import java.util.Map;
import java.util.TreeMap;

/** A VM that Proxmox's HA stack looks after. Touched only under the world's lock. */
public final class LabHaResource {
    /** {@code vm:121}. */
    public final String sid;
    /** As stored: {@code state}, {@code group}, {@code max_restart}, {@code comment}, … */
    public final Map<String, String> options = new TreeMap<>();
    /** What the stack makes of it now: {@code queued}, {@code starting}, {@code started}, {@code stopped}, {@code error}, … */
    public String status = "queued";
    /** Starts that failed in a row. */
    public int failedStarts;
    /** Seconds the stack gives the guest for the stop that is wanted now; 0 means it pulls the plug. */
    public int stopPatience = 60;

    public LabHaResource(String sid) {
        this.sid = sid;
    }

    public int vmid() {
        return Integer.parseInt(sid.substring(sid.indexOf(':') + 1));
    }
}
