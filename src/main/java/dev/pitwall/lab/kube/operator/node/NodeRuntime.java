package dev.pitwall.lab.kube.operator.node;

import java.util.List;

/**
 * The container runtime of a node: where its distribution keeps containerd, and what the toolkit container does to it.
 * (facts: cluster.md 5)
 */
public final class NodeRuntime {
    private static final String CONFIG = "/etc/containerd/config.toml";
    private static final String DROP_IN = "/etc/containerd/conf.d/99-nvidia.toml";
    private static final String RANCHER_SOCKET = "/run/k3s/containerd/containerd.sock";
    private static final String PROGRAM = "nvidia-container-runtime";
    private static final List<String> DEFAULTS = List.of(CONFIG, DROP_IN, "/etc/rancher/rke2/config.yaml",
            "/etc/rancher/k3s/config.yaml");

    private final NodeMachine machine;

    public NodeRuntime(NodeMachine machine) {
        this.machine = machine;
    }

    public String socket() {
        return generatesConfig() ? RANCHER_SOCKET : "/run/containerd/containerd.sock";
    }

    /** k3s and RKE2 write containerd's configuration anew at each start of their service. */
    public boolean generatesConfig() {
        return machine.kubelet().contains("rke2") || machine.kubelet().contains("k3s");
    }

    /** CDI device names are understood from containerd 1.7 on. (mission: gpu-operator-on-rke2) */
    public boolean knowsCdi() {
        String[] parts = machine.containerRuntime().replaceFirst("^containerd://v?", "").split("[.-]");
        int major = number(parts, 0);
        return major > 1 || major == 1 && number(parts, 1) >= 7;
    }

    private static int number(String[] parts, int at) {
        return parts.length > at && parts[at].matches("\\d{1,6}") ? Integer.parseInt(parts[at]) : 0;
    }

    /** Containers without a runtime class run under {@code nvidia} too. */
    public boolean nvidiaIsDefault() {
        return machine.knowsHandler() && DEFAULTS.stream().flatMap(path -> machine.file(path).stream())
                .anyMatch(text -> text.contains("default_runtime_name = \"nvidia\"")
                        || text.contains("default-runtime: nvidia"));
    }

    /** Puts the runtime's program on the disk and containerd's drop-in file beside its configuration. */
    public void install(String toolkit, boolean asDefault) {
        machine.write(toolkit + "/" + PROGRAM, "\u007fELF");
        if (!generatesConfig()) {
            String table = "[plugins.'io.containerd.cri.v1.runtime'.containerd";
            machine.write(DROP_IN, "version = 3\n\n"
                    + (asDefault ? table + "]\n  default_runtime_name = \"nvidia\"\n\n" : "")
                    + table + ".runtimes.nvidia]\n  runtime_type = \"io.containerd.runc.v2\"\n\n"
                    + table + ".runtimes.nvidia.options]\n  BinaryName = \"" + toolkit + "/" + PROGRAM
                    + "\"\n  SystemdCgroup = true\n");
        }
    }

    /**
     * containerd starts anew. k3s and RKE2 look for the program in a few places only, {@code /usr/local/nvidia/toolkit}
     * among them, and write the handler for what they find.
     */
    public void restart(String toolkit) {
        boolean found = generatesConfig() ? machine.has("/usr/local/nvidia/toolkit/" + PROGRAM)
                || machine.has("/usr/bin/" + PROGRAM)
                : machine.has(DROP_IN) && machine.has(toolkit + "/" + PROGRAM);
        if (machine.knowsHandler() != found) {
            machine.change((world, node) -> node.toolkitReady = found);
        }
    }

    /** The toolkit container takes back what it did, as it does when it is told to end. */
    public void uninstall(String toolkit) {
        machine.remove(List.of(toolkit + "/" + PROGRAM, DROP_IN));
        restart(toolkit);
    }
}
