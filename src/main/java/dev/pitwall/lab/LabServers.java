package dev.pitwall.lab;

import dev.pitwall.lab.proxmox.ProxmoxServers;

import java.util.List;

/** Every server a lab has. This is the one place that names them. */
final class LabServers {
    private LabServers() {
    }

    /** In the order they start; they stop in the other. */
    static List<LabServer.Starter> all() {
        return List.of(ProxmoxServers::start);
    }
}
