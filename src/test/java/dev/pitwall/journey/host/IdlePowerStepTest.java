package dev.pitwall.journey.host;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.FileChange;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class IdlePowerStepTest {
    private static final String OWN = "/etc/modprobe.d/zz-pitwall.conf";
    private static final String BOUND = "softdep nouveau pre: vfio-pci\nsoftdep snd_hda_intel pre: vfio-pci\n"
            + "options vfio-pci ids=10de:25b0,10de:2291\nblacklist nouveau\n";

    /** A card that is bound for good, with the parameter off. */
    private static HostBuilder bound() {
        HostBuilder host = HostBuilder.withCard().file(OWN, BOUND)
                .file("/etc/modules-load.d/pitwall.conf", "vfio\nvfio_iommu_type1\nvfio_pci\n");
        host.functions.replaceAll(f -> f.address().bus() == 1 ? BindStepTest.driver(f, "vfio-pci") : f);
        host.parameters.put("vfio_pci.disable_idle_d3", "N");
        return host;
    }

    private static Found row(Answer answer, String name) {
        return answer.found().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void withoutASignThereIsNoNeed() {
        Answer answer = bound().ask("idle-power");

        assertThat(answer.state()).isEqualTo(State.NOT_APPLICABLE);
        assertThat(answer.questions()).singleElement().satisfies(q -> assertThat(q.chosen()).isEqualTo("no"));
        assertThat(row(answer, "Reset").value()).contains("By the bus only").contains("one VM");
    }

    @Test
    void theKernelsParameterDecidesAndNoFile() {
        HostBuilder host = bound().file(OWN, BOUND.replace("10de:2291", "10de:2291 disable_idle_d3=1"))
                .choose("idle-power", "yes");

        Answer pending = host.ask("idle-power");

        assertThat(pending.changes()).extracting(Change::target)
                .containsExactly("update-initramfs -u -k all", "Reboot pve1");
        assertThat(row(pending, "disable_idle_d3").value()).startsWith("In the files, not in the kernel");
        host.parameters.put("vfio_pci.disable_idle_d3", "Y");
        assertThat(host.ask("idle-power").state()).isEqualTo(State.DONE);
    }

    @Test
    void aCopyOfATemplateThatDoesNotStartWithTheHostIsASignBeforeItIsMade() {
        HostBuilder host = bound().guest(900, "tmpl", "qemu", "stopped", false, Map.of("template", "1"))
                .guest(901, "other", "qemu", "stopped", true, Map.of("template", "1", "onboot", "1")).choose("vm", "new");

        assertThat(host.choose("new-from", "901").ask("idle-power").state()).isEqualTo(State.NOT_APPLICABLE);
        Answer answer = host.choose("new-from", "900").ask("idle-power");
        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.notes()).anyMatch(n -> n.contains("a copy of template 900"));
    }

    /** Else the host would be rebooted a second time, as soon as the VM has the card. */
    @Test
    void theChosenVmIsASignBeforeItHasTheCard() {
        HostBuilder host = bound().guest(122, "worker", "qemu", "stopped", false, Map.of()).choose("vm", "122");

        assertThat(host.ask("idle-power").state()).isEqualTo(State.READY);
    }

    @Test
    void theRebootDoesNotTakeTheCardFromAnotherVmThatRunsWithIt() {
        HostBuilder host = bound().guest(112, "worker", "qemu", "running", true, Map.of())
                .guest(211, "win11", "qemu", "running", false, Map.of("hostpci0", "0000:01:00,pcie=1")).choose("vm", "112");

        Answer answer = host.ask("idle-power");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("211 win11");
    }

    @Test
    void aVmThatDoesNotStartWithTheHostIsASign() {
        Answer answer = bound().guest(122, "worker", "qemu", "stopped", false, Map.of("hostpci0", "0000:01:00,pcie=1"))
                .ask("idle-power");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(answer.notes().getFirst()).contains("VM 122 worker does not start with the host");
        assertThat(answer.changes().getFirst()).isInstanceOfSatisfying(FileChange.class, f ->
                assertThat(f.after().text()).isEqualTo(BOUND.replace("10de:2291", "10de:2291 disable_idle_d3=1")));
        assertThat(answer.changes()).extracting(Change::target)
                .containsExactly(OWN, "update-initramfs -u -k all", "Reboot pve1");
    }

    @Test
    void theSignIsOverruledByThePerson() {
        Answer answer = bound().state("0000:01:00.0", "bus", "D3cold", false).choose("idle-power", "no").ask("idle-power");

        assertThat(answer.state()).isEqualTo(State.NOT_APPLICABLE);
        assertThat(answer.why()).isEqualTo("you chose to leave it");
    }

    @Test
    void deepSleepNowIsASign() {
        Answer answer = bound().state("0000:01:00.0", "bus", "D3cold", false).ask("idle-power");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(row(answer, "Power state").mark()).isEqualTo(Found.Mark.ATTENTION);
    }

    @Test
    void beforeTheBindingItGoesAlongWithIt() {
        HostBuilder host = HostBuilder.withCard().choose("idle-power", "yes");

        assertThat(host.ask("idle-power").state()).isEqualTo(State.WAITING);
        assertThat(host.ask("bind").changes()).anySatisfy(c -> assertThat(c).isInstanceOfSatisfying(FileChange.class, f ->
                assertThat(f.after().text()).contains("options vfio-pci ids=10de:25b0,10de:2291 disable_idle_d3=1\n")));
        assertThat(host.ask("bind").notes()).anyMatch(n -> n.contains("goes along"));
    }

    @Test
    void aCardThatDoesNotAnswerNeedsAPersonAtTheSwitch() {
        Answer answer = new HostBuilder().lspci("""
                01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA107GL [RTX A1000] [10de:25b0] (rev ff)
                	Kernel driver in use: vfio-pci
                """).group(14, "0000:01:00.0").ask("idle-power");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("switch pve1 off");
        assertThat(row(answer, "Card answers").deciding()).containsExactly(1);
    }

    @Test
    void aMissingResetIsTold() {
        assertThat(row(bound().state("0000:01:00.0", "", "D0", false).ask("idle-power"), "Reset").mark())
                .isEqualTo(Found.Mark.ATTENTION);
        assertThat(row(bound().state("0000:01:00.0", "flr bus", "D0", false).ask("idle-power"), "Reset").value())
                .isEqualTo("flr, bus");
    }
}
