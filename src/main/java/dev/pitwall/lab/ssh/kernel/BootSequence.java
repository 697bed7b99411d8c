package dev.pitwall.lab.ssh.kernel;

import dev.pitwall.lab.world.BootStep;
import dev.pitwall.lab.world.ContainerRuntime;
import dev.pitwall.lab.world.IommuBoot;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine's boot: the loader gives the kernel its command line, the IOMMU comes up or not, the initramfs decides who
 * gets which device, files name further modules, installed drivers are loaded, what is temporary has gone.
 */
public final class BootSequence implements BootStep {
    private static final Pattern UDEV_OVERRIDE = Pattern.compile(
            "(?m)^(?!#).*KERNEL==\"([0-9a-f:.]+)\".*ATTR\\{driver_override\\}=\"([^\"]*)\".*$");
    private static final String DRIVERCTL = "/etc/driverctl.d/";
    private static final List<String> TEMPORARY = List.of("/tmp/", "/run/", "/dev/shm/");

    private final NvidiaModuleLoad nvidia;

    public BootSequence(NvidiaModuleLoad nvidia) {
        this.nvidia = nvidia;
    }

    @Override
    public void onBoot(World world, String machine, Instant now) {
        LabNode node = world.nodes.get(machine);
        LabHost host = world.hosts.get(node == null || node.vmid != 0 ? machine : node.host);
        Optional<LabSystem> system = world.system(machine);
        if (system.isEmpty() || node != null && node.talos.isPresent()) {
            return;
        }
        Map<String, byte[]> files = world.files(machine).orElseThrow();
        boolean done = system.get().kernelSince.equals(now);
        if (!done) {
            remember(system.get(), host != null ? host.kernel : node.kernel, now);
            clean(files, system.get());
            if (host != null) {
                bootHost(host, files, now);
            } else {
                bootGuest(world, node, files, now);
            }
        }
        if (node != null && (host == null || !host.off)) {
            nvidia.atBoot(world, node, now);
            ContainerRuntime.start(world, node);
        }
    }

    private static void remember(LabSystem s, String kernel, Instant now) {
        Instant down = s.wentDown.isAfter(s.kernelSince) ? s.wentDown : now;
        s.pastBoots.add(new LabSystem.PastBoot(s.kernelSince, down, kernel, List.copyOf(s.kernelLines)));
        s.kernelSince = now;
        s.kernelLines.clear();
        s.inserted.clear();
        s.withdrawn.clear();
        s.bound.clear();
        s.overrides.clear();
        s.shutdownAt = Optional.empty();
        s.dynamicIds.clear();
        // Nobody sits at the console to type the one-time password (facts: cluster.md 6).
        s.ownerKeysAsked.clear();
        s.units.replaceAll((unit, note) -> new LabSystem.UnitNote(note.enabled(), note.enabled(), now));
    }

    private static void clean(Map<String, byte[]> files, LabSystem s) {
        for (String folder : TEMPORARY) {
            files.keySet().removeIf(path -> path.startsWith(folder));
            s.folders.keySet().removeIf(path -> path.startsWith(folder));
            s.links.keySet().removeIf(path -> path.startsWith(folder));
            s.removed.removeIf(path -> path.startsWith(folder));
        }
    }

    private void bootHost(LabHost host, Map<String, byte[]> files, Instant now) {
        Optional<Kernels.Start> start = Kernels.isGrub(host.commandLine) ? Kernels.grub(files)
                : Kernels.systemdBoot(host.system.espEntries, files);
        if (start.isPresent()) {
            if (!start.get().findsRoot()) {
                host.off = true;
                return;
            }
            host.commandLine = start.get().commandLine();
            host.kernel = start.get().kernel();
        }
        host.pci.forEach(pci -> pci.removed = false);
        new IommuBoot(host).group();
        DriverBinding binding = binding(host.system, host.kernel, host.commandLine, files, now);
        Map<String, String> overrides = overrides(host.system, host.kernel, files);
        for (LabPci pci : host.pci) {
            pci.driverOverride = overrides.getOrDefault(pci.address, "");
            pci.driver = driver(binding, pci, pci.address, pci.iommuGroup >= 0);
        }
    }

    private void bootGuest(World world, LabNode node, Map<String, byte[]> files, Instant now) {
        LabSystem s = node.system;
        Kernels.grub(files).ifPresent(start -> {
            s.commandLine = start.commandLine();
            node.kernel = start.kernel();
        });
        DriverBinding binding = binding(s, node.kernel, s.commandLine, files, now);
        for (String id : node.cards) {
            LabCard card = world.cards.get(id);
            world.hosts.get(node.host).pci.stream().filter(pci -> pci.address.startsWith(card.slot + "."))
                    .forEach(pci -> {
                        String address = card.guestAddress + pci.address.substring(pci.address.lastIndexOf('.'));
                        s.bound.put(address, driver(binding, pci, address, false));
                    });
        }
    }

    private DriverBinding binding(LabSystem s, String kernel, String commandLine, Map<String, byte[]> files,
                                  Instant now) {
        Map<String, byte[]> image = s.images.getOrDefault(kernel, Map.of());
        ModprobeConfig config = ModprobeConfig.of(image, commandLine);
        config.complaints().forEach(line -> s.log(now.plusSeconds(2), "systemd-udevd[512]: " + line));
        s.moduleOptions.clear();
        config.options().forEach((module, values) -> s.moduleOptions.put(module, new TreeMap<>(values)));
        Set<String> late = new HashSet<>(Initramfs.late(files));
        if (files.keySet().stream().anyMatch(path -> path.startsWith(DRIVERCTL))) {
            late.add("vfio_pci");
        }
        Set<String> installed = s.nvidiaModules.containsKey(kernel) ? Set.of("nvidia") : Set.of();
        DriverBinding binding = new DriverBinding(config, Initramfs.early(image), late, overrides(s, kernel, files),
                installed);
        s.inserted.addAll(binding.named());
        return binding;
    }

    private static String driver(DriverBinding binding, LabPci pci, String address, boolean grouped) {
        boolean bridge = pci.classCode.startsWith("06");
        if (bridge) {
            return pci.defaultDriver;
        }
        return binding.driverOf(new DriverBinding.Device(address, pci.vendorId + ":" + pci.deviceId,
                pci.defaultDriver, pci.modules, pci.vendorId.equals("10de") && pci.classCode.startsWith("03"),
                        grouped));
    }

    /** From udev rules of the disk and of the image, and from driverctl's files (facts: proxmox.md 2.3). */
    private static Map<String, String> overrides(LabSystem s, String kernel, Map<String, byte[]> files) {
        Map<String, String> overrides = new HashMap<>();
        for (Map<String, byte[]> source : List.of(s.images.getOrDefault(kernel, Map.of()), files)) {
            source.keySet().stream().filter(path -> path.startsWith("/etc/udev/rules.d/") && path.endsWith(".rules"))
                    .forEach(path -> {
                        Matcher m = UDEV_OVERRIDE.matcher(Kernels.text(source, path));
                        while (m.find()) {
                            overrides.put(m.group(1), m.group(2));
                        }
                    });
        }
        files.keySet().stream().filter(path -> path.startsWith(DRIVERCTL)).forEach(path ->
                overrides.put(path.substring(DRIVERCTL.length()), Kernels.text(files, path).strip()));
        return overrides;
    }
}
