package dev.pitwall.lab.world;

/**
 * An entry of Proxmox's access control list.
 *
 * @param path      {@code /vms/121}
 * @param who       a user's or a token's id
 * @param role      name of a role
 * @param propagate it counts for everything below the path too
 */
public record LabAcl(String path, String who, String role, boolean propagate) {
}
