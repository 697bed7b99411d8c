package dev.pitwall.lab.world;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A Proxmox user of the lab.
 *
 * @param id     {@code name@realm}
 * @param totp   the TOTP secret in base32; empty means no second factor
 * @param rights privileges by path, each counting for everything below it; {@code root@pam} may do all without any
 */
public record LabUser(String id, String password, Optional<String> totp, Map<String, Set<String>> rights) {

    @Override
    public String toString() {
        return "LabUser[" + id + "]";
    }
}
