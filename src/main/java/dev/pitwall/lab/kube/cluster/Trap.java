package dev.pitwall.lab.kube.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The faults a cluster of the lab can express. Names are the trap vocabulary's, with dashes for underscores. */
enum Trap {
    DEVICE_PLUGIN_MISSING_TOLERATION,
    WAITING_DRIVER_COMPILING,
    DRIVER_OOM_WHILE_COMPILING,
    SECURE_BOOT_REJECTS_MODULE,
    DRIVER_IMAGE_NOT_PUBLISHED_FOR_OS,
    CONTAINERD_SOCKET_WRONG_PATH,
    RUNTIME_HANDLER_NOT_CONFIGURED,
    TIME_SLICING_CONFIG_MISSING,
    GPUS_HELD_BY_OTHER_PODS,
    DCGM_EXPORTER_OOM,
    NODE_CORDONED,
    NFD_MASTER_MISSING_TOLERATION,
    NFD_FIRST_SCAN_PENDING,
    CLAIM_HELD_BY_TERMINATING_POD,
    IDLE_NOTEBOOK_HOLDS_GPU;

    static Optional<Trap> named(String name) {
        return Arrays.stream(values()).filter(trap -> trap.trapName().equals(name)).findFirst();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(Trap::trapName).toList();
    }

    String trapName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
