package dev.pitwall.doctor.report;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class MaskingTest {

    @Test
    void oneNameHasOneNumberInTheWholeReport() {
        Masking masking = new Masking(List.of("worker-1", "pve"));
        assertThat(masking.masked("worker-1 at 10.0.0.7 and 10.0.0.8, again 10.0.0.7; pve.lan and pve-2"))
                .isEqualTo("machine-2 at ip-1 and ip-2, again ip-1; host-1 and pve-2");
        assertThat(masking.masked("worker-1")).isEqualTo("machine-2");
    }

    @Test
    void secretsAreDroppedWhateverTheyStandIn() {
        Masking masking = new Masking(List.of());
        assertThat(masking.masked("password: hunter22 and token=abcdefgh")).doesNotContain("hunter22", "abcdefgh");
        assertThat(masking.masked("Authorization: Bearer eyJhbGciOiJSUzI1NiJ9x.eyJzdWIiOiIxMjM0NTY.sig"))
                .doesNotContain("eyJ");
        assertThat(masking.masked("https://user:s3cr3t@registry/v2")).isEqualTo("https://user:(masked)@registry/v2");
    }

    @Test
    void aVersionAndALoopbackAreNoAddresses() {
        assertThat(new Masking(List.of()).masked("driver 570.86.15 listens on 127.0.0.1:9400"))
                .isEqualTo("driver 570.86.15 listens on 127.0.0.1:9400");
    }
}
