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
        try (HostLocks.Held held = locks.take("SHA256:one").orElseThrow()) {
            assertThat(locks.take("SHA256:one")).isEmpty();
            assertThat(new RunLocks(new DataFolder(temp)).take("SHA256:one")).isEmpty();
            assertThat(held).isNotNull();
        }
        try (HostLocks.Held again = locks.take("SHA256:one").orElseThrow()) {
            assertThat(again).isNotNull();
        }
    }

    @Test
    void otherHostsAreFree() throws TroubleException {
        HostLocks locks = new RunLocks(new DataFolder(temp));
        try (HostLocks.Held one = locks.take("SHA256:one").orElseThrow();
             HostLocks.Held two = locks.take("pve2.lan:22").orElseThrow()) {
            assertThat(one).isNotSameAs(two);
        }
    }
}
