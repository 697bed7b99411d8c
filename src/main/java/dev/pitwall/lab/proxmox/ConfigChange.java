package dev.pitwall.lab.proxmox;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to become of a VM's configuration.
 *
 * @param set       new values by option, in Proxmox's own form
 * @param delete    options that are to go
 * @param revert    options whose pending change is to go
 * @param digest    refuses if the configuration is another one now
 * @param pastLocks {@code skiplock}; root only
 * @param force     a deleted drive's disk goes with it
 */
public record ConfigChange(Map<String, String> set, List<String> delete, List<String> revert, Optional<String> digest,
                           boolean pastLocks, boolean force) {
    public ConfigChange {
        set = Map.copyOf(set);
        delete = List.copyOf(delete);
        revert = List.copyOf(revert);
    }

    boolean isEmpty() {
        return set.isEmpty() && delete.isEmpty() && revert.isEmpty();
    }
}
