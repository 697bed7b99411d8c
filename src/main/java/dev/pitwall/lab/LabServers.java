package dev.pitwall.lab;

import dev.pitwall.lab.kube.KubeServer;
import dev.pitwall.lab.kube.ProxyBackends;
import dev.pitwall.lab.proxmox.ProxmoxServers;
import dev.pitwall.lab.ssh.SshServers;

import java.util.List;

/** Every server a lab has. This is the one place that names them. */
final class LabServers {
    private LabServers() {
    }

    /** In the order they start; they stop in the other. */
    static List<LabServer.Starter> all() {
        ProxyBackends backends = new ProxyBackends();
        return List.of(ProxmoxServers::start, SshServers::start, lab -> KubeServer.start(lab, backends));
    }
}
