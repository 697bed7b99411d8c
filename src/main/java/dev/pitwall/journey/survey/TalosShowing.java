package dev.pitwall.journey.survey;

import dev.pitwall.card.Source;

/** What the survey of a Talos node rests on: the names in {@code shown}, and how a person looks by hand. */
public enum TalosShowing {
    VERSION("version", "version"),
    EXTENSIONS("extensions", "get extensions"),
    MODULES("modules", "get loadedkernelmodules"),
    DEVICES("devices", "get pcidevices"),
    SECURITY("security", "get securitystate"),
    STATUS("status", "get machinestatus"),
    SERVICES("services", "services"),
    KERNEL_LOG("kernel", "dmesg"),
    DRIVER("driver", "read /proc/driver/nvidia/version"),
    /** Only the fields that the steps rest on. */
    CONFIG("config", "get machineconfig v1alpha1"),
    /** Of the Image Factory. */
    SCHEMATIC("schematic", ""),
    /** Of the Image Factory. */
    OFFERED("offered", "");

    private final String key;
    private final String command;

    TalosShowing(String key, String command) {
        this.key = key;
        this.command = command;
    }

    /** The name in {@code shown}. */
    public String key() {
        return key;
    }

    /** The command that shows the same. */
    Source source(String node, String address) {
        return new Source(Source.Kind.TALOS, node, "talosctl -n " + address + " " + command);
    }
}
