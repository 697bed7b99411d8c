package dev.pitwall.lab.talos;

import dev.pitwall.lab.ssh.BootIds;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.LabTalos;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** Files of a Talos node that somebody who looks for its card reads, computed from its state. */
final class NodeFiles {
    private NodeFiles() {
    }

    /** Content by absolute path. Call inside the world's lock. */
    static SortedMap<String, byte[]> of(LabNode node, LabTalos talos, ModuleLoader modules) {
        SortedMap<String, byte[]> files = new TreeMap<>(node.files);
        put(files, "/etc/os-release", "NAME=\"Talos\"\nID=talos\nVERSION_ID=" + talos.version + "\nPRETTY_NAME=\"Talos ("
                + talos.version + ")\"\nHOME_URL=\"https://www.talos.dev/\"\n");
        put(files, "/etc/hostname", node.name + "\n");
        put(files, "/proc/version", "Linux version " + node.kernel + " (@buildkitsandbox) #1 SMP PREEMPT_DYNAMIC\n");
        put(files, "/proc/sys/kernel/random/boot_id", BootIds.of(node.name, node.bootedAt) + "\n");
        put(files, "/proc/sys/kernel/hostname", node.name + "\n");
        StringBuilder loaded = new StringBuilder();
        talos.modules.reversed().forEach(name -> loaded.append(name).append(" 16384 ").append(users(talos, name))
                .append(" - Live 0x0000000000000000").append(ModuleLoader.NVIDIA.contains(name) ? " (O)" : "").append('\n'));
        put(files, "/proc/modules", loaded.toString());
        modules.driver(talos).filter(driver -> talos.modules.contains("nvidia")).ifPresent(driver ->
                put(files, "/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX "
                        + (driver.driver().equals("open") ? "Open Kernel Module for x86_64  " : "x86_64 Kernel Module  ")
                        + driver.driverVersion() + "  Release Build\n"));
        if (modules.present(talos).anyMatch(TalosData.Extension::toolkit)) {
            put(files, "/etc/cri/conf.d/10-nvidia-container-runtime.part", """
                    [plugins]
                      [plugins."io.containerd.cri.v1.runtime"]
                        [plugins."io.containerd.cri.v1.runtime".containerd]
                          [plugins."io.containerd.cri.v1.runtime".containerd.runtimes]
                            [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.nvidia]
                              runtime_type = "io.containerd.runc.v2"
                              [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.nvidia.options]
                                BinaryName = "/usr/local/bin/nvidia-container-runtime"
                    """);
        }
        return files;
    }

    private static int users(LabTalos talos, String name) {
        return name.equals("nvidia") ? (int) talos.modules.stream().filter(ModuleLoader.NVIDIA::contains).count() - 1 : 0;
    }

    private static void put(SortedMap<String, byte[]> files, String path, String text) {
        files.putIfAbsent(path, text.getBytes(StandardCharsets.UTF_8));
    }
}
