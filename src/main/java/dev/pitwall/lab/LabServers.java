package dev.pitwall.lab;

import dev.pitwall.lab.helm.HelmRepository;
import dev.pitwall.lab.kube.KubeServer;
import dev.pitwall.lab.kube.ProcessSockets;
import dev.pitwall.lab.models.ModelServers;
import dev.pitwall.lab.prometheus.PrometheusServer;
import dev.pitwall.lab.prometheus.StoreNames;
import dev.pitwall.lab.proxmox.ProxmoxServers;
import dev.pitwall.lab.ssh.MachineShell;
import dev.pitwall.lab.ssh.SshServers;
import dev.pitwall.lab.talos.TalosServers;

import java.util.ArrayList;
import java.util.List;

/** Every server a lab has. This is the one place that names them. */
final class LabServers {
    private LabServers() {
    }

    /** In the order they start; they stop in the other. */
    static List<LabServer.Starter> all() {
        ProcessSockets sockets = new ProcessSockets();
        List<KubeServer> cluster = new ArrayList<>();
        List<ProxmoxServers> proxmox = new ArrayList<>();
        return List.of(lab -> {
            proxmox.add(ProxmoxServers.start(lab));
            return proxmox.getFirst();
        }, lab -> {
            SshServers machines = SshServers.start(lab);
            proxmox.getFirst().datacenter().connect(new MachineShell(machines));
            machines.connect(proxmox.getFirst().localApi());
            return machines;
        }, TalosServers::start, lab -> {
            // After everything that has a part in a boot: faults to begin with boot nodes in the cluster's past.
            cluster.add(KubeServer.start(lab, sockets));
            return cluster.getFirst();
        }, lab -> telemetry(lab, sockets, cluster.getFirst()), lab -> models(lab, sockets), HelmRepository::start);
    }

    private static LabServer telemetry(LabContext lab, ProcessSockets sockets, KubeServer cluster) {
        PrometheusServer prometheus = PrometheusServer.start(lab, new StoreNames(lab.world(), cluster.store(),
                cluster.holders()));
        sockets.prometheus(prometheus.uri());
        sockets.exporters(prometheus.exporters()::backend);
        return prometheus;
    }

    private static LabServer models(LabContext lab, ProcessSockets sockets) {
        ModelServers servers = ModelServers.start(lab);
        sockets.models(servers::backend);
        return servers;
    }
}
