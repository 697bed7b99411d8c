package dev.pitwall.read;

import java.util.Locale;

/** The forms of outside output that Pitwall reads. Names are stable: people script against them. */
public enum Kind {
    LSPCI("lspci, also -nn, -nnk, -D, -n, -v, filtered or without indentation"),
    IOMMU_GROUPS("a listing of IOMMU groups, or the paths under /sys/kernel/iommu_groups"),
    DMESG("kernel lines of dmesg or journalctl: IOMMU, BARs, vfio, NVRM and Xid"),
    CMDLINE("/proc/cmdline, or the kernel's \"Command line:\""),
    PROXMOX_BOOT_TOOL("proxmox-boot-tool status"),
    QM_CONFIG("qm config, qm pending, or a VM's .conf file"),
    PROXMOX_TASK("the log of a Proxmox task: VM start, backup"),
    LSMOD("lsmod, or /proc/modules"),
    NVIDIA_SMI("nvidia-smi: the table, -q, -q -x, -L, --query-gpu as CSV, or its error"),
    DCGM_METRICS("the metrics page of the DCGM exporter"),
    DCGM_EXPORTER_LOG("the start-up log of the DCGM exporter"),
    PROMETHEUS_QUERY("an answer of Prometheus' query API"),
    DESCRIBE_NODE("kubectl describe node, whole or a part"),
    NODES("nodes as JSON or YAML: one, a list, or their capacity"),
    PODS("pods as JSON or YAML: one or a list"),
    POD_TABLE("kubectl get pods as a table"),
    EVENTS("Kubernetes events: the table, or JSON and YAML"),
    HELM_VALUES("values of the GPU Operator, device plugin or Ollama chart, with their ConfigMaps"),
    SHARING_CONFIG("a ConfigMap that shares cards: time-slicing or MPS"),
    HELM_RELEASE("the Secret that Helm keeps of a release"),
    CONTAINERD_CONFIG("containerd's config.toml, version 1, 2 or 3"),
    OLLAMA("Ollama's answers: /api/ps, /api/tags, /api/show, and the streams of pull and generate"),
    LLAMA_SERVER("llama-server's answers: /models, /v1/models, /props"),
    KUBERNETES_OBJECTS("other Kubernetes objects: only what they are, never their content");

    private final String text;

    Kind(String text) {
        this.text = text;
    }

    /** The stable name in JSON, for example {@code iommu-groups}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it is, for the help. */
    public String text() {
        return text;
    }
}
