package dev.pitwall.lab.ssh.kernel;

import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.LabSystem.NvidiaModule;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.NvidiaProbe;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Loads the NVIDIA module that a node's own packages brought, or says why the kernel does not take it. Call inside
 * {@link World#change}.
 */
public final class NvidiaModuleLoad {
    private static final String NOUVEAU = "nouveau";
    private final NvidiaProbe probe = new NvidiaProbe();

    /** What became of it, with the kernel's error where modprobe prints one. */
    public enum Outcome {
        LOADED(""), NOT_FOUND(""), KEY_REJECTED("Key was rejected by service"), NO_DEVICE("No such device");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** At a boot: an installed module is loaded for a card that is there; a container's has gone until it comes again. */
    void atBoot(World world, LabNode node, Instant now) {
        LabSystem s = world.system(node.name).orElse(node.system);
        boolean own = !s.nvidiaModules.isEmpty() || node.driverSource == GuestDriver.Source.HOST;
        if (!own) {
            GuestDriver.unload(world, node, now);
            return;
        }
        GuestDriver.unload(world, node, now);
        boolean wanted = s.inserted.contains("nvidia") || functions(world, node).stream()
                .anyMatch(f -> holder(world, node, f).equals("nvidia"));
        if (wanted && s.nvidiaModules.containsKey(node.kernel)) {
            load(world, node, now);
        }
    }

    /** {@code modprobe nvidia}. */
    public Outcome load(World world, LabNode node, Instant now) {
        if (node.driver.equals("loaded")) {
            return Outcome.LOADED;
        }
        LabSystem s = world.system(node.name).orElse(node.system);
        Optional<NvidiaModule> found = Optional.ofNullable(s.nvidiaModules.get(node.kernel));
        if (found.isEmpty()) {
            return Outcome.NOT_FOUND;
        }
        NvidiaModule module = found.get();
        boolean trusted = module.signer().startsWith("Canonical") || s.ownerKeys.contains(module.signer());
        if (secureBoot(world, node) && !trusted) {
            s.log(now, "Loading of module with unavailable key is rejected");
            GuestDriver.fail(world, node, module.version(), GuestDriver.Source.HOST, now);
            return Outcome.KEY_REJECTED;
        }
        s.log(now, "nvidia: loading out-of-tree module taints kernel.");
        s.inserted.add("nvidia");
        Outcome outcome = probe(world, node, s, module, now);
        if (outcome == Outcome.LOADED) {
            functions(world, node).forEach(f -> take(world, node, f));
            GuestDriver.load(world, node, module.version(), GuestDriver.Source.HOST, now);
        } else {
            s.inserted.remove("nvidia");
            GuestDriver.fail(world, node, module.version(), GuestDriver.Source.HOST, now);
        }
        return outcome;
    }

    private Outcome probe(World world, LabNode node, LabSystem s, NvidiaModule module, Instant now) {
        List<Function> functions = functions(world, node);
        List<Function> held = functions.stream().filter(f -> holder(world, node, f).equals(NOUVEAU)
                || holder(world, node, f).equals(DriverBinding.VFIO)).toList();
        if (!held.isEmpty() && held.size() == functions.size()) {
            held.forEach(f -> s.log(now, "NVRM: GPU " + f.address() + " is already bound to "
                    + holder(world, node, f) + "."));
            s.log(now, "NVRM: The NVIDIA probe routine was not called for " + held.size() + " device(s).");
            s.log(now, "NVRM: This can occur when another driver was loaded and");
            s.log(now, "NVRM: obtained ownership of the NVIDIA device(s).");
            s.log(now, "NVRM: No NVIDIA devices probed.");
            return Outcome.NO_DEVICE;
        }
        NvidiaProbe.Result result = probe.probe(functions.stream().filter(f -> !held.contains(f)).map(f ->
                new NvidiaProbe.Found(f.card().product, f.address(), f.pci().vendorId + ":" + f.pci().deviceId)).toList(),
                module.version(), module.open());
        result.lines().forEach(line -> s.log(now, line));
        return result.taken() ? Outcome.LOADED : Outcome.NO_DEVICE;
    }

    /** A display function of an NVIDIA card as the node sees it. */
    private record Function(LabCard card, LabPci pci, String address) {
    }

    private static List<Function> functions(World world, LabNode node) {
        LabHost host = world.hosts.get(node.host);
        return node.cards.stream().map(world.cards::get).filter(card -> !card.lost)
                .flatMap(card -> host.pci.stream().filter(pci -> pci.address.startsWith(card.slot + ".")
                        && pci.classCode.startsWith("03") && !(node.vmid == 0 && pci.removed))
                        .map(pci -> new Function(card, pci,
                                card.guestAddress + pci.address.substring(pci.address.lastIndexOf('.'))))).toList();
    }

    private static String holder(World world, LabNode node, Function f) {
        return node.vmid == 0 ? f.pci().driver : node.system.bound.getOrDefault(f.address(), "");
    }

    private static void take(World world, LabNode node, Function f) {
        if (node.vmid != 0) {
            node.system.bound.put(f.address(), "nvidia");
        } else if (f.pci().driver.isEmpty()) {
            f.pci().driver = "nvidia";
        }
    }

    /** Secure Boot of the machine: of the firmware, or of the VM's EFI disk with enrolled keys. */
    public static boolean secureBoot(World world, LabNode node) {
        if (node.vmid == 0) {
            return world.hosts.get(node.host).secureBoot;
        }
        LabVm vm = world.vms.get(node.vmid);
        return vm.running.getOrDefault("bios", "").equals("ovmf")
                && vm.running.getOrDefault("efidisk0", "").contains("pre-enrolled-keys=1");
    }
}
