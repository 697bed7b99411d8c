package dev.pitwall.lab.kube.machine;

/** The two flavours of NVIDIA's kernel modules. */
public enum ModuleKind {
    OPEN, PROPRIETARY
}
