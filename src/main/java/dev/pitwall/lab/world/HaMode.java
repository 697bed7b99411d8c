package dev.pitwall.lab.world;

/**
 * What the HA stack's daemon on a host is at: on its way down it says why, and that decides what becomes of the host's
 * resources. [pve-docs ha-manager.adoc, shutdown policy "conditional", the default]
 */
public enum HaMode {
    /** It starts and stops what the stack wants. */
    ACTIVE,
    /** The host reboots: its resources are frozen, and wait for it however long it takes. */
    RESTART,
    /** The host is switched off: its resources stop, and go elsewhere when it has been silent for long enough. */
    SHUTDOWN
}
