package dev.pitwall.lab.ssh;

import dev.pitwall.lab.world.ContainerRuntime;

import java.util.Locale;
import java.util.Map;

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
        tree.put("/dev/null", Entry.kernel(0666, 0, () -> ""));
        tree.link("/var/run", "/run").link("/bin", "usr/bin").link("/sbin", "usr/sbin");
        tree.file("/etc/hostname", m.name() + "\n")
                .file("/etc/hosts", "127.0.0.1 localhost\n" + m.address() + " " + m.name() + "\n")
                .file("/etc/os-release", osRelease()).file("/etc/machine-id", machineId() + "\n")
                .file("/boot/config-" + m.kernel(), "CONFIG_INTEL_IOMMU_DEFAULT_ON=y\nCONFIG_VFIO_PCI=m\n");
        for (String program : texts.list("programs-" + m.kind().name().toLowerCase(Locale.ROOT))) {
            tree.program(program);
        }
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

    private void proxmox(FileTree tree) {
        tree.file("/etc/pve/.version", "{}\n").file("/etc/debian_version", "12.12\n");
        for (MachineState.VmView vm : m.vms()) {
            StringBuilder config = new StringBuilder();
            vm.config().entrySet().stream().sorted(Map.Entry.comparingByKey())
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
            tree.program("/usr/local/nvidia/toolkit/nvidia-ctk");
        }
        containerd(tree);
    }

    /** RKE2 and k3s write containerd's configuration at their start, with the handlers they then find. */
    private void containerd(FileTree tree) {
        ContainerRuntime.Engine engine = ContainerRuntime.engine(m.kubelet());
        tree.put(engine.socket(), Entry.kernel(0660, 0, () -> ""));
        if (!engine.generates()) {
            tree.file(engine.config(), texts.file("containerd-plain.toml"));
            return;
        }
        String distribution = engine.name().toLowerCase(Locale.ROOT);
        tree.file(engine.config(), texts.file("containerd-rke2.toml").replace("${distribution}", distribution)
                + (m.toolkitReady() && ContainerRuntime.makesDefault(m.system().runtimeConfig())
                        ? texts.file("containerd-default.toml") : "")
                + (m.toolkitReady() ? texts.file("containerd-nvidia.toml") : ""));
        tree.directory("/etc/rancher/" + distribution);
    }
}
