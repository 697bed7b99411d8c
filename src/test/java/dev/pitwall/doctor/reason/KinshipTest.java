package dev.pitwall.doctor.reason;

import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** A host and the nodes in its VMs stand on each other; two hosts, and two nodes, do not. */
class KinshipTest {

    @Test
    void aHostAndItsNodeShareACauseInEitherOrder() {
        SignBook book = new SignBook();
        book.add(new Sign("stands-on", new About("", "gpu-a", "", ""), Map.of("host", "pve1"), Optional.empty()));
        book.add(new Sign("stands-on", new About("", "gpu-b", "", ""), Map.of("host", "pve2"), Optional.empty()));
        book.add(new Sign("stands-on", new About("", "gpu-c", "", ""), Map.of("host", "pve1"), Optional.empty()));
        Kinship kinship = Kinship.of(book);

        assertThat(kinship.share("pve1", "gpu-a")).isTrue();
        assertThat(kinship.share("gpu-a", "pve1")).isTrue();
        assertThat(kinship.share("gpu-a", "gpu-a")).isTrue();
        assertThat(kinship.share("pve2", "gpu-a")).isFalse();
        assertThat(kinship.share("gpu-c", "gpu-a")).as("two nodes of one host").isFalse();
    }
}
