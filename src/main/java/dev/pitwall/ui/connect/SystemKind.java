package dev.pitwall.ui.connect;

import java.util.Locale;

/** The systems of a site, in the order of the dialog. */
enum SystemKind {
    PROXMOX, SSH, CLUSTER, PROMETHEUS, MODELS;

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
