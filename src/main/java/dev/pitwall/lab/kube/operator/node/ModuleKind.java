package dev.pitwall.lab.kube.operator.node;

/** The two flavours of NVIDIA's kernel modules. */
public enum ModuleKind {
    OPEN, PROPRIETARY
}
