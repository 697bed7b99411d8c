package dev.pitwall.site;

import org.junit.jupiter.api.Test;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class ShellAccessTest {
    @Test
    void oneMachineInTwoSitesIsKnownByItsKey() {
        assertThat(access("pve1", "10.0.30.11", Optional.of("SHA256:one")).identity())
                .isEqualTo(access("left", "pve1.lan", Optional.of("SHA256:one")).identity())
                .isNotEqualTo(access("pve1", "10.0.30.11", Optional.of("SHA256:two")).identity());
    }

    @Test
    void withoutAPinnedKeyItIsItsAddress() {
        assertThat(access("pve1", "10.0.30.11", Optional.empty()).identity()).isEqualTo("10.0.30.11:22");
    }

    private static ShellAccess access(String name, String host, Optional<String> key) {
        return new ShellAccess(name, ShellAccess.Role.PROXMOX_HOST, host, 22, "root", new ShellAccess.Agent(), key,
                Optional.empty());
    }
}
