package dev.pitwall.link.trust;

import java.util.Locale;

/** The sorts of system that are reached over a socket. Each may have its own words for the same trouble. */
public enum Service {
    PROXMOX, SSH, PROMETHEUS, EXPORTER, MODELS, CLUSTER, CHARTS, TALOS, FACTORY;

    /** The part of a message key that stands for this service, for example {@code proxmox}. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
