package dev.pitwall.doctor.fix;

import java.util.Optional;
import java.util.function.Function;

/**
 * The machines that the nodes of a cluster are, as a site knows them, by the node's name.
 *
 * @param shells the name of the machine's shell in the site; empty where the site has none
 * @param vms    the VM that a node with a card is; empty for a machine of its own, and where no host of the site has it
 */
public record NodeMachines(Function<String, Optional<String>> shells, Function<String, Optional<Vm>> vms) {

    /**
     * A VM of the site.
     *
     * @param host its Proxmox node
     */
    public record Vm(String host, int vmid, String name) {
    }

    Optional<String> shell(String node) {
        return shells.apply(node);
    }

    Optional<Vm> vm(String node) {
        return vms.apply(node);
    }
}
