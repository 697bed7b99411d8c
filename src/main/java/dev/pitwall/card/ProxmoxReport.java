package dev.pitwall.card;

import java.util.List;
import java.util.Map;

/**
 * What one Proxmox API says about its hosts. In a Proxmox cluster one node may be off while the others answer, so each
 * node is either reported or silent with its own trouble.
 *
 * @param hosts  the nodes that answered, by node name
 * @param silent nodes of the same cluster that gave no usable answer, by node name; a node's last good report stays
 *               valid as its last known values
 */
public record ProxmoxReport(List<HostReport> hosts, Map<String, Trouble> silent) {

    public ProxmoxReport {
        hosts = List.copyOf(hosts);
        silent = Map.copyOf(silent);
    }
}
