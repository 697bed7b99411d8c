package dev.pitwall.journey.talos;

/** Which kernel modules of NVIDIA an extension has. */
public enum ModuleKind {
    OPEN("open"), PROPRIETARY("proprietary");

    private final String word;

    ModuleKind(String word) {
        this.word = word;
    }

    /** For sentences. */
    public String word() {
        return word;
    }
}
