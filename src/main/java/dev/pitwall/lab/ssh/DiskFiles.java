package dev.pitwall.lab.ssh;

import java.util.Locale;

/** The parts of {@code /etc}, {@code /usr}, {@code /var} and {@code /run} that state decides. */
final class DiskFiles {
    private final MachineState m;
    private final LabTexts texts;

    DiskFiles(MachineState machine, LabTexts texts) {
        this.m = machine;
        this.texts = texts;
    }

    void add(FileTree tree) {
        for (String directory : texts.list("directories")) {
            tree.directory(directory);
        }
        tree.put("/tmp", new Entry.Directory(01777)).put("/root", new Entry.Directory(0700));
        tree.link("/var/run", "/run").link("/bin", "usr/bin").link("/sbin", "usr/sbin");
        tree.file("/etc/hostname", m.name() + "\n")
                .file("/etc/hosts", "127.0.0.1 localhost\n" + m.address() + " " + m.name() + "\n")
                .file("/etc/os-release", osRelease()).file("/etc/machine-id", machineId() + "\n")
                .file("/boot/config-" + m.kernel(), "CONFIG_INTEL_IOMMU_DEFAULT_ON=y\nCONFIG_VFIO_PCI=m\n")
                .file("/boot/vmlinuz-" + m.kernel(), "");
        for (String program : texts.list("programs-" + m.kind().name().toLowerCase(Locale.ROOT))) {
            tree.program(program);
        }
        boot(tree);
        if (m.isProxmox()) {
            proxmox(tree);
        }
        if (m.kind().isNode()) {
            node(tree);
        }
    }

    private String osRelease() {
        return texts.file("os-release-" + m.osId() + ".txt");
    }

    private String machineId() {
        return String.format(Locale.ROOT, "%032x", m.name().hashCode() & 0xffffffffL);
    }

    /** GRUB reads /etc/default/grub, systemd-boot /etc/kernel/cmdline; which one runs shows in /proc/cmdline. */
    private void boot(FileTree tree) {
        String options = m.commandLine().replaceFirst("^(BOOT_IMAGE|initrd)=\\S+ *", "")
                .replaceFirst("root=\\S+( boot=\\S+| ro| rw)? *", "");
        tree.file("/etc/default/grub", texts.file("default-grub.txt")
                .replace("${options}", usesGrub() ? options : "quiet")
                .replace("${distributor}", m.isProxmox() ? "Proxmox Virtual Environment" : "Ubuntu"));
        tree.directory("/etc/default/grub.d");
        if (!usesGrub()) {
            tree.file("/etc/kernel/cmdline", m.commandLine().replaceFirst("^initrd=\\S+ *", "") + "\n");
            tree.file("/etc/kernel/proxmox-boot-uuids", texts.value("esp-uuid") + "\n");
        }
    }

    private boolean usesGrub() {
        return m.commandLine().startsWith("BOOT_IMAGE=");
    }

    private void proxmox(FileTree tree) {
        tree.file("/etc/modprobe.d/pve-blacklist.conf", texts.file("pve-blacklist.txt"))
                .file("/etc/modules", texts.list("host-modules-file").getFirst() + "\n")
                .file("/etc/pve/.version", "{}\n").file("/etc/debian_version", "12.12\n");
        for (MachineState.VmView vm : m.vms()) {
            StringBuilder config = new StringBuilder();
            vm.config().entrySet().stream().sorted(java.util.Map.Entry.comparingByKey())
                    .forEach(e -> config.append(e.getKey()).append(": ").append(e.getValue()).append('\n'));
            tree.file("/etc/pve/nodes/" + m.name() + "/qemu-server/" + vm.vmid() + ".conf", config.toString());
        }
        tree.link("/etc/pve/local", "nodes/" + m.name()).link("/etc/pve/qemu-server", "local/qemu-server");
        tree.directory("/etc/pve/nodes/" + m.name() + "/qemu-server");
    }

    private void node(FileTree tree) {
        if (m.driver().loaded()) {
            tree.program("/usr/bin/nvidia-smi").directory("/run/nvidia/driver");
        }
        if (m.toolkitReady()) {
            tree.file("/run/cdi/management.nvidia.com-gpu.yaml", cdiSpec("management.nvidia.com/gpu"))
                    .file("/run/cdi/k8s.device-plugin.nvidia.com-gpu.json",
                            "{\"cdiVersion\":\"0.5.0\",\"kind\":\"k8s.device-plugin.nvidia.com/gpu\",\"devices\":["
                                    + cdiDevices() + "]}\n")
                    .program("/usr/local/nvidia/toolkit/nvidia-container-runtime")
                    .program("/usr/local/nvidia/toolkit/nvidia-ctk");
        }
        validations(tree);
        containerd(tree);
    }

    private String cdiDevices() {
        StringBuilder devices = new StringBuilder();
        for (int i = 0; i < m.cards().size(); i++) {
            devices.append(i == 0 ? "" : ",").append("{\"name\":\"").append(m.cards().get(i).uuid())
                    .append("\",\"containerEdits\":{\"deviceNodes\":[{\"path\":\"/dev/nvidia").append(i)
                    .append("\"}]}}");
        }
        return devices.toString();
    }

    private String cdiSpec(String kind) {
        StringBuilder spec = new StringBuilder("cdiVersion: 0.5.0\nkind: " + kind + "\ndevices:\n");
        spec.append("- name: all\n  containerEdits:\n    deviceNodes:\n");
        for (int i = 0; i < m.cards().size(); i++) {
            spec.append("    - path: /dev/nvidia").append(i).append('\n');
        }
        return spec.append("    - path: /dev/nvidiactl\n    - path: /dev/nvidia-uvm\n").toString();
    }

    /** The marker files that the operator's init containers wait for (facts: cluster.md 1.4). */
    private void validations(FileTree tree) {
        String folder = "/run/nvidia/validations/";
        if (m.cards().isEmpty() && !m.driver().loaded()) {
            return;
        }
        tree.directory("/run/nvidia/validations");
        if (m.driver().loaded()) {
            tree.file(folder + "driver-ready", texts.file("driver-ready.txt"))
                    .file(folder + ".driver-ctr-ready", "");
            if (m.toolkitReady()) {
                tree.file(folder + "toolkit-ready", "").file(folder + "cuda-ready", "")
                        .file(folder + "plugin-ready", "");
            }
        }
    }

    /** RKE2 and k3s write containerd's configuration at their start, with the handlers they then find. */
    private void containerd(FileTree tree) {
        String distribution = m.kubelet().contains("rke2") ? "rke2" : m.kubelet().contains("k3s") ? "k3s" : "";
        String handlers = m.toolkitReady() ? texts.file("containerd-nvidia.toml") : "";
        if (distribution.isEmpty()) {
            tree.file("/etc/containerd/config.toml", texts.file("containerd-plain.toml") + handlers);
            tree.put("/run/containerd/containerd.sock", Entry.kernel(0660, 0, () -> ""));
            return;
        }
        tree.file("/var/lib/rancher/" + distribution + "/agent/etc/containerd/config.toml",
                texts.file("containerd-rke2.toml").replace("${distribution}", distribution) + handlers);
        tree.put("/run/k3s/containerd/containerd.sock", Entry.kernel(0660, 0, () -> ""));
        tree.directory("/etc/rancher/" + distribution);
    }
}
