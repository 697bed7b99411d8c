package dev.pitwall.site;

/**
 * The name of a secret in the keyring, for example {@code 5b1c…/proxmox/pve1}. Safe to log and to save.
 */
public record SecretRef(String key) {
}
