package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.HostLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class RunLocksTest {
    @TempDir
    private Path temp;

    @Test
    void aHostIsGivenToOneRunAtATime() throws TroubleException {
        HostLocks locks = new RunLocks(new DataFolder(temp));
        try (HostLocks.Held held = locks.take("site", "pve1").orElseThrow()) {
            assertThat(locks.take("site", "pve1")).isEmpty();
            assertThat(new RunLocks(new DataFolder(temp)).take("site", "pve1")).isEmpty();
            assertThat(held).isNotNull();
        }
        try (HostLocks.Held again = locks.take("site", "pve1").orElseThrow()) {
            assertThat(again).isNotNull();
        }
    }

    @Test
    void otherHostsAndSitesAreFree() throws TroubleException {
        HostLocks locks = new RunLocks(new DataFolder(temp));
        try (HostLocks.Held one = locks.take("kubeconfig /home/a/x", "pve1").orElseThrow();
             HostLocks.Held two = locks.take("kubeconfig /home/a/x", "pve2").orElseThrow();
             HostLocks.Held three = locks.take("other", "pve1").orElseThrow()) {
            assertThat(one).isNotSameAs(two).isNotSameAs(three);
        }
    }
}
