package dev.pitwall.lab.ssh.kernel;

import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The PCI functions of one machine whose driver can change: a host's own, or those passed to a guest. Under the world's lock. */
public final class LiveDevices {
    private final World world;
    private final String machine;
    private final LabSystem system;

    public LiveDevices(World world, String machine, LabSystem system) {
        this.world = world;
        this.machine = machine;
        this.system = system;
    }

    /** One function; {@code own} is false for one that a guest was given. */
    public final class Device {
        private final String address;
        private final LabPci pci;
        private final boolean own;

        private Device(String address, LabPci pci, boolean own) {
            this.address = address;
            this.pci = pci;
            this.own = own;
        }

        public String address() {
            return address;
        }

        public LabPci pci() {
            return pci;
        }

        String id() {
            return pci.vendorId + ":" + pci.deviceId;
        }

        public String driver() {
            return own ? pci.driver : system.bound.getOrDefault(address, "");
        }

        void driver(String name) {
            if (own) {
                pci.driver = name;
            } else {
                system.bound.put(address, name);
            }
        }

        String override() {
            return own ? pci.driverOverride : system.overrides.getOrDefault(address, "");
        }

        void override(String name) {
            if (own) {
                pci.driverOverride = name;
            } else if (name.isEmpty()) {
                system.overrides.remove(address);
            } else {
                system.overrides.put(address, name);
            }
        }

        boolean grouped() {
            return own && pci.iommuGroup >= 0;
        }

        /** A VM that runs has it, so nobody else gets it. */
        public boolean isInUse() {
            return own && world.vms.values().stream().anyMatch(vm -> vm.host.equals(machine)
                    && !vm.status.equals("stopped") && holds(vm));
        }

        private boolean holds(LabVm vm) {
            String slot = pci.address.substring(0, pci.address.lastIndexOf('.'));
            return Wiring.held(world, vm, vm.running).stream().anyMatch(card -> card.slot.equals(slot));
        }

        /** The module behind the kernel's own driver for it. */
        String usualModule() {
            return DriverBinding.module(pci.defaultDriver, pci.modules);
        }

        boolean isNvidiaDisplay() {
            return pci.vendorId.equals("10de") && pci.classCode.startsWith("03");
        }
    }

    public List<Device> all() {
        List<Device> all = new ArrayList<>();
        LabNode node = world.nodes.get(machine);
        LabHost host = world.hosts.get(node == null ? machine : node.host);
        if (node != null && node.vmid != 0) {
            for (String id : node.cards) {
                LabCard card = world.cards.get(id);
                host.pci.stream().filter(pci -> pci.address.startsWith(card.slot + ".")).forEach(pci -> all.add(
                        new Device(card.guestAddress + pci.address.substring(pci.address.lastIndexOf('.')), pci,
                                false)));
            }
        } else if (host != null) {
            host.pci.stream().filter(pci -> !pci.removed).forEach(pci -> all.add(new Device(pci.address, pci, true)));
        }
        return all;
    }

    public Optional<Device> at(String address) {
        return all().stream().filter(device -> device.address().equals(address)).findFirst();
    }
}
