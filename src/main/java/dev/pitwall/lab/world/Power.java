package dev.pitwall.lab.world;

/** Which machines run, as seen from the network. */
public final class Power {
    private Power() {
    }

    /**
     * True if a machine answers: its host is neither silent nor off, and its VM, if it is one, runs and is up. Call it inside
     * {@link World#read}. A name the world does not know counts as running.
     */
    public static boolean isOn(World world, String machine) {
        LabNode node = world.nodes.get(machine);
        LabHost host = world.hosts.get(node == null ? machine : node.host);
        boolean guest = node != null && node.vmid != 0;
        LabVm vm = guest ? world.vms.get(node.vmid) : null;
        return (host == null || host.answers()) && (node == null || !node.off)
                && (!guest || vm != null && vm.answers(world.clock().instant()));
    }
}
