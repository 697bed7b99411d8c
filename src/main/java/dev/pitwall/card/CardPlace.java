package dev.pitwall.card;

import java.util.List;
import java.util.Optional;

/**
 * One physical card and everything of the site that belongs to it: the result of the joins, the input of its floors.
 *
 * @param host      name of the physical machine; the node's name where no host is known
 * @param slot      on that machine; empty where only the cluster knows the card
 * @param substrate what stands between the machine and the node
 * @param functions all functions of the slot, with drivers where a shell told them
 * @param hostApi   the Proxmox source of the host; of a hidden one, the host that has not answered
 * @param hostShell the shell source of the host
 * @param holder    the running VM that has the card now
 * @param worker    the VM that should have it: the one that is a node of the cluster, else the holder, else the only
 *                  one configured with it
 * @param node      the Kubernetes node the card serves
 * @param pods      what matters of the pods on that node, or meant for it
 * @param nodeShell the shell source of the node
 * @param gpu       the device as the node's driver or DCGM sees it
 * @param sample    DCGM's latest sample of it
 * @param server    the model server on it
 * @param share     which of the node's cards this is
 */
record CardPlace(String host, Optional<PciAddress> slot, Substrate substrate, List<PciFunction> functions,
                 Optional<Observed<HostReport>> hostApi, Optional<Observed<MachineReport>> hostShell,
                 Optional<VmReport> holder, Optional<VmReport> worker, Optional<NodeReport> node,
                 List<PodReport> pods, Optional<Observed<MachineReport>> nodeShell, Optional<GpuDevice> gpu,
                 Optional<TelemetryReport.Sample> sample, Optional<Observed<ServerReport>> server, Share share) {

    /** What stands between the physical machine and the node's operating system. */
    enum Substrate {
        /** A Proxmox host; the card goes to a VM. */
        PROXMOX,
        /** The node is the machine. */
        BARE_METAL,
        /** The site has no host for this node, so nobody can look below the node. */
        UNSEEN,
        /** A host of the site has not answered yet; the node may be in one of its VMs. */
        HIDDEN
    }

    /** @param index 0-based place among the node's cards, @param of how many cards the node has */
    record Share(int index, int of) {
    }

    String id() {
        return host + "/" + slot.map(PciAddress::toString)
                .or(() -> gpu.flatMap(GpuDevice::uuid))
                .orElse("card" + share.index());
    }

    /** All IOMMU groups the card's functions are in; more than one after an ACS override. */
    List<Integer> groups() {
        return functions.stream().filter(f -> f.iommuGroup().isPresent()).map(f -> f.iommuGroup().getAsInt())
                .distinct().sorted().toList();
    }
}
