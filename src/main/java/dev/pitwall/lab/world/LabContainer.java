package dev.pitwall.lab.world;

import java.util.Map;
import java.util.TreeMap;

/** An LXC container of a Proxmox host, as far as it holds devices of the host. Touched only under the world's lock. */
public final class LabContainer {
    public final int vmid;
    public final String host;
    public boolean runs;
    /** Keys and values in Proxmox's own form; raw lines such as {@code lxc.mount.entry} by their key, one text a line. */
    public final Map<String, String> config = new TreeMap<>();

    public LabContainer(int vmid, String host) {
        this.vmid = vmid;
        this.host = host;
    }

    public boolean startsWithHost() {
        return "1".equals(config.get("onboot"));
    }
}
