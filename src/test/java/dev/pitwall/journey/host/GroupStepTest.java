package dev.pitwall.journey.host;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Step;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GroupStepTest {
    private static final String SATA = "0000:00:17.0 SATA controller [0106]: Intel Corporation SATA AHCI Controller "
            + "[8086:a382]\n\tKernel driver in use: ahci\n";
    private static final String ACS = "BOOT_IMAGE=/boot/vmlinuz-6.8.12-4-pve root=/dev/sda1 ro pcie_acs_override=downstream";

    @Test
    void theCardAndItsRootPortAreClean() {
        Answer answer = HostBuilder.withCard().ask("group");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("group 14 holds only this card");
        assertThat(answer.found().getFirst().name()).isEqualTo("Group 14");
        assertThat(answer.found().getFirst().value()).isEqualTo("This card's 2 functions, 1 root port");
        assertThat(answer.questions()).isEmpty();
    }

    @Test
    void aStrangerIsNamedWithWhatTheHostLosesAndTheWaysOutInOrder() {
        Answer answer = HostBuilder.withCard().lspci(SATA).group(14, "0000:00:17.0").ask("group");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).isEqualTo("group 14 also holds SATA controller 0000:00:17.0");
        assertThat(answer.notes().get(0)).contains("0000:00:17.0").contains("the disks on it");
        assertThat(answer.notes().get(1)).contains("another slot");
        assertThat(answer.notes().get(2)).contains("firmware");
        assertThat(answer.notes().get(3)).contains("ACS override").contains("only pretends");
        assertThat(answer.questions()).singleElement().satisfies(q -> {
            assertThat(q.key()).isEqualTo("acs");
            assertThat(q.chosen()).isEqualTo("none");
            assertThat(q.options()).extracting(Answer.Option::value)
                    .containsExactly("none", "downstream", "downstream,multifunction");
        });
        assertThat(answer.found().get(1).value()).contains("now on ahci").contains("would leave the host");
    }

    @Test
    void aChosenOverrideIsWaitedFor() {
        HostBuilder host = HostBuilder.withCard().lspci(SATA).group(14, "0000:00:17.0").choose("acs", "downstream");

        assertThat(host.ask("group").state()).isEqualTo(State.WAITING);
        assertThat(host.ask("iommu").state()).isEqualTo(State.READY);
    }

    @Test
    void anOverrideThatDidNotHelpBlocks() {
        Answer answer = HostBuilder.withCard().lspci(SATA).group(14, "0000:00:17.0").choose("acs", "downstream")
                .cmdline(ACS).ask("group");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.notes()).anyMatch(n -> n.contains("is on already"));
    }

    @Test
    void aGroupThatTheOverrideMadeCleanKeepsItsWarning() {
        Answer answer = HostBuilder.withCard().cmdline(ACS).ask("group");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.notes()).anyMatch(n -> n.contains("only pretends isolation"));
        assertThat(answer.found()).anyMatch(f -> f.name().equals("ACS override") && f.mark() == Found.Mark.ATTENTION);
    }

    @Test
    void anIsaBridgeIsNoBridgeThatStays() {
        Answer answer = HostBuilder.withCard().lspci("0000:00:1f.0 ISA bridge [0601]: Intel Corporation LPC [8086:519d]\n")
                .group(14, "0000:00:1f.0").ask("group");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
    }

    @Test
    void withoutAnIommuItWaitsAndHoldsNobodyUp() {
        assertThat(HostBuilder.withCard().iommuOff().ask("group").state()).isEqualTo(State.WAITING);
        assertThat(HostBuilder.step("group").nature()).isEqualTo(Step.Nature.CHECKS);
    }
}
