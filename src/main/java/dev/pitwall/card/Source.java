package dev.pitwall.card;

/**
 * Where a fact comes from, precise enough for a person to repeat the look-up.
 *
 * @param kind   the sort of system that was asked
 * @param system the name of that system in the site, for example {@code pve1} or {@code cluster}
 * @param detail the command, API call or object, for example {@code GET /nodes/pve1/hardware/pci}
 */
public record Source(Kind kind, String system, String detail) {

    /** The sorts of system Pitwall reads. */
    public enum Kind { PROXMOX, SSH, CLUSTER, PROMETHEUS, MODELS, TALOS, JOURNAL, FILE }
}
