package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.kernel.Initramfs;
import dev.pitwall.lab.ssh.kernel.Kernels;
import dev.pitwall.lab.ssh.kernel.ModprobeConfig;
import dev.pitwall.lab.ssh.software.PackageCatalog;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.LabCard;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabSystem;
import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A machine as its installer and its administrator left it before the lab started: boot loader, packages, an initramfs
 * that agrees with the disk. Done once for a machine of a world, under its lock.
 */
final class FirstState {
    private final LabTexts texts;
    private final PackageCatalog catalog;

    FirstState(LabTexts texts, PackageCatalog catalog) {
        this.texts = texts;
        this.catalog = catalog;
    }

    void of(World world, String machine, Keeping keeping) {
        LabSystem s = keeping.system(world);
        if (!s.kernelSince.equals(Instant.EPOCH)) {
            return;
        }
        Map<String, byte[]> files = keeping.files(world);
        LabNode node = world.nodes.get(machine);
        LabHost host = world.hosts.get(node == null || node.vmid != 0 ? machine : node.host);
        if (host != null) {
            s.kernelSince = host.bootedAt;
            String os = host.proxmox ? "proxmox" : "ubuntu";
            install(s, os, host.kernel);
            bootLoader(files, s, host.kernel, host.commandLine, host.proxmox);
            if (host.proxmox) {
                put(files, "/etc/network/interfaces", NetworkPorts.interfaces(host));
            }
            world.nodes.values().stream().filter(n -> n.vmid == 0 && n.host.equals(host.name))
                    .forEach(n -> ownDriver(n, s, files));
            finish(files, s, host.kernel, host.commandLine);
        } else if (node != null) {
            s.kernelSince = node.bootedAt;
            s.commandLine = texts.value("guest-cmdline").replace("KERNEL", node.kernel);
            install(s, MachineReader.osId(node), node.kernel);
            bootLoader(files, s, node.kernel, s.commandLine, false);
            ownDriver(node, s, files);
            guest(world, node, files);
            finish(files, s, node.kernel, s.commandLine);
        }
    }

    private void install(LabSystem s, String os, String kernel) {
        for (String line : texts.list("packages-" + os)) {
            String name = line.replace("${kernel}", kernel);
            String version = catalog.find(os, name, kernel).map(entry -> entry.kernel().isEmpty() ? entry.version()
                    : kernel.replaceFirst("-(\\d+)-\\w+$", "-$1.$1")).orElse("");
            s.packages.putIfAbsent(name, new LabSystem.InstalledPackage(version, false, false));
        }
        s.packageLists.add("archive");
    }

    /** Where the node's own packages brought the driver they are installed, with the archive's signed module. */
    private void ownDriver(LabNode node, LabSystem s, Map<String, byte[]> files) {
        if (node.driverSource != GuestDriver.Source.HOST || !node.driver.equals("loaded")) {
            return;
        }
        String branch = node.driverVersion.replaceFirst("\\..*$", "");
        for (String line : texts.list("packages-nvidia-own")) {
            String name = line.replace("${branch}", branch).replace("${kernel}", node.kernel);
            String version = name.contains(node.kernel) ? node.kernel : node.driverVersion + "-0ubuntu0.24.04.1";
            s.packages.put(name, new LabSystem.InstalledPackage(version, false, false));
            catalog.find(MachineReader.osId(node), name, node.kernel).ifPresent(entry -> entry.files()
                    .forEach((path, text) -> put(files, path, text.isEmpty() ? "\u007fELF" : text)));
        }
        s.nvidiaModules.put(node.kernel, new LabSystem.NvidiaModule(node.driverVersion, true,
                "Canonical Ltd. Kernel Module Signing", false));
    }

    /** The installer writes the options of this boot where the boot loader's tool looks for them. */
    private void bootLoader(Map<String, byte[]> files, LabSystem s, String kernel, String commandLine,
                            boolean proxmox) {
        put(files, "/boot/vmlinuz-" + kernel, "MZ");
        put(files, "/boot/initrd.img-" + kernel, "070701");
        String distributor = proxmox ? "Proxmox Virtual Environment" : "Ubuntu";
        boolean grub = Kernels.isGrub(commandLine);
        String options = commandLine.replaceFirst("^(BOOT_IMAGE|initrd)=\\S+ *", "")
                .replaceFirst("root=\\S+( boot=\\S+| ro| rw)? *", "");
        put(files, "/etc/default/grub", texts.file("default-grub.txt").replace("${options}", grub ? options : "quiet")
                .replace("${distributor}", distributor));
        if (grub) {
            put(files, Kernels.GRUB_CONFIG, Kernels.grubConfig(distributor, List.of(kernel), commandLine, options));
        } else {
            String line = commandLine.replaceFirst("^initrd=\\S+ *", "");
            put(files, Kernels.ESP_COMMAND_LINE, line + "\n");
            put(files, Kernels.ESP_LIST, texts.value("esp-uuid") + "\n");
            s.espEntries.put(kernel, line);
        }
        if (proxmox) {
            put(files, "/etc/modprobe.d/pve-blacklist.conf", texts.file("pve-blacklist.txt"));
            put(files, "/etc/modules", texts.list("host-modules-file").getFirst() + "\n");
        }
        put(files, "/etc/apt/sources.list.d/archive.sources",
                texts.file(proxmox ? "apt-proxmox.sources" : "apt-ubuntu.sources"));
    }

    /** Whoever brought the NVIDIA driver here has put nouveau aside before. */
    private static void guest(World world, LabNode node, Map<String, byte[]> files) {
        boolean driven = node.driver.equals("loaded") || node.driver.equals("compiling");
        if (driven) {
            put(files, "/etc/modprobe.d/blacklist-nouveau.conf", "blacklist nouveau\noptions nouveau modeset=0\n");
        }
        boolean blacklisted = ModprobeConfig.of(files, "").isBlacklisted("nouveau");
        for (String id : node.cards) {
            LabCard card = world.cards.get(id);
            for (LabPci pci : world.hosts.get(node.host).pci) {
                if (pci.address.startsWith(card.slot + ".")) {
                    boolean display = pci.classCode.startsWith("03");
                    node.system.bound.put(card.guestAddress + pci.address.substring(pci.address.lastIndexOf('.')),
                            display ? driven ? "nvidia" : blacklisted ? "" : pci.defaultDriver : pci.defaultDriver);
                }
            }
        }
    }

    private static void finish(Map<String, byte[]> files, LabSystem s, String kernel, String commandLine) {
        s.images.put(kernel, Initramfs.of(files));
        ModprobeConfig config = ModprobeConfig.of(files, commandLine);
        config.options().forEach((module, values) -> s.moduleOptions.put(module, new TreeMap<>(values)));
        s.inserted.addAll(Initramfs.late(files));
    }

    private static void put(Map<String, byte[]> files, String path, String text) {
        files.putIfAbsent(path, text.getBytes(StandardCharsets.UTF_8));
    }
}
