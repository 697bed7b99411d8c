package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabPci;

import java.util.ArrayList;
import java.util.List;

/** Network interfaces by bus and slot, as systemd names them, and those that a hypervisor adds. */
public final class NetworkPorts {
    private static final String NETWORK = "02";

    private NetworkPorts() {
    }

    /** Ports that the kernel of this machine drives, in the order of their addresses. */
    public static List<String> of(MachineState m) {
        return m.pci().stream().filter(p -> p.classCode().startsWith(NETWORK) && !p.driver().isEmpty()
                && !p.driver().equals("vfio-pci")).map(p -> name(p.address(),
                        m.pci().stream().filter(other -> other.slot().equals(p.slot())).count())).toList();
    }

    /** Everything in {@code /sys/class/net}: also the bridge and the taps of running VMs. */
    static List<String> all(MachineState m) {
        List<String> all = new ArrayList<>(of(m));
        all.add("lo");
        if (m.isProxmox()) {
            all.add("vmbr0");
            m.vms().stream().filter(vm -> !vm.running().isEmpty()).forEach(vm -> vm.running().keySet().stream()
                    .filter(key -> key.matches("net\\d+")).forEach(key -> all.add("tap" + vm.vmid() + "i"
                            + key.substring(3))));
        }
        return all;
    }

    /** What the installer writes: a bridge over the first port. */
    static String interfaces(LabHost host) {
        String port = host.pci.stream().filter(p -> p.classCode.startsWith(NETWORK) && !p.driver.isEmpty())
                .map(p -> name(p.address, functions(host, p))).findFirst().orElse("none");
        return "auto lo\niface lo inet loopback\n\niface " + port + " inet manual\n\nauto vmbr0\niface vmbr0 inet static\n"
                + "\taddress " + host.address + "/24\n\tgateway " + host.address.replaceFirst("\\.\\d+$", ".1")
                + "\n\tbridge-ports " + port + "\n\tbridge-stp off\n\tbridge-fd 0\n\tbridge-vlan-aware yes\n"
                + "\tbridge-vids 2-4094\n";
    }

    private static long functions(LabHost host, LabPci pci) {
        String slot = pci.address.substring(0, pci.address.lastIndexOf('.') + 1);
        return host.pci.stream().filter(other -> other.address.startsWith(slot)).count();
    }

    /** @param functions of its slot */
    private static String name(String address, long functions) {
        String[] parts = address.split("[:.]");
        return "enp" + Integer.parseInt(parts[1], 16) + "s" + Integer.parseInt(parts[2], 16)
                + (functions > 1 ? "f" + Integer.parseInt(parts[3]) : "");
    }
}
