package dev.pitwall.ui.change;

import static dev.pitwall.ui.change.SampleChanges.command;
import static dev.pitwall.ui.change.SampleChanges.config;
import static dev.pitwall.ui.change.SampleChanges.cycle;
import static dev.pitwall.ui.change.SampleChanges.file;
import static dev.pitwall.ui.change.SampleChanges.reboot;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.VmRemoval;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeLinesTest {

    private final Texts texts = new Texts();
    private final ChangeLines lines = new ChangeLines(texts);
    private final Effects effects = new Effects(texts);

    @Test
    void aKeyThatGetsAnotherValueShowsBoth() {
        assertThat(lines.of(config(Map.of("balloon", "8192"), Map.of("balloon", "0", "hostpci0", "0000:01:00"))).lines())
                .extracting(l -> l.sign() + l.text())
                .containsExactly("−balloon: 8192", "+balloon: 0", "+hostpci0: 0000:01:00");
    }

    @Test
    void aFileWithoutANewlineAtItsEndSaysSo() {
        assertThat(lines.of(file("/etc/kernel/cmdline", Content.of("a\n"), Content.of("a"))).lines())
                .extracting(CodeLine::text).containsExactly("a", "no newline at the end of the file");
    }

    @Test
    void aChartsValueStandsBesideItsReason() {
        HelmChange change = new HelmChange("garage", "gpu-operator", "gpu-operator", Optional.empty(), Optional.of(
                new HelmChange.Wanted("gpu-operator", "v26.7.0", "https://example.org", Optional.empty(),
                        JsonNodeFactory.instance.objectNode())),
                List.of(new HelmChange.ValueLine("driver.enabled", Optional.empty(), Optional.of("true"), "false",
                                "the system brings it"),
                        new HelmChange.ValueLine("cdi.enabled", Optional.of("false"), Optional.of("true"), "true", "as usual")),
                HelmChange.Traces.NONE, Duration.ofMinutes(1), Duration.ofMinutes(5));
        assertThat(lines.of(change).lines()).extracting(l -> l.sign() + l.text() + " | " + l.note()).containsExactly(
                "−driver.enabled: true | the chart’s default", "+driver.enabled: false | the system brings it",
                "−cdi.enabled: false | as it was given to the release", "+cdi.enabled: true | as usual");
    }

    @Test
    void aCommandSaysHowLongItTakesAndHowItGoesBack() {
        assertThat(lines.of(command("update-initramfs", "-u")).note()).isEqualTo("about 40 s · undo runs it again");
    }

    @Test
    void aRebootNamesWhatStopsAndWhatDoesNotComeBackByItself() {
        ChangeLine line = lines.of(reboot("pve2", new HostReboot.Guest(112, "master", true),
                new HostReboot.Guest(131, "harbor", false)));
        assertThat(line.text()).isEqualTo("Shuts down 2 guests first: 112 master, 131 harbor. "
                + "These do not start by themselves: 131 harbor. Back in about 2 min.");
        assertThat(line.chip()).isEqualTo("reboots pve2");
    }

    @Test
    void aChangeThatIsMadeSaysHowLongItTookAndHasNoRiskAnyMore() {
        Instant at = Instant.EPOCH;
        ChangeLine line = lines.of(new ChangeRecord(4, "bind", reboot("pve2"), ChangeRecord.State.DONE, Optional.empty(),
                Optional.empty(), Optional.of(at), Optional.of(at.plusSeconds(109))));
        assertThat(line.doing().orElseThrow().mark()).isEqualTo(Mark.OK);
        assertThat(line.doing().orElseThrow().took()).isEqualTo("1 min 49 s");
        assertThat(line.chip()).isEmpty();
    }

    @Test
    void theButtonNamesTheWorstEffect() {
        List<Change> all = List.of(command("true"), cycle(122), reboot("pve2"));
        assertThat(effects.button("Apply", List.of(command("true")))).isEqualTo("Apply");
        assertThat(effects.button("Apply", List.of(cycle(122)))).isEqualTo("Apply and power-cycle VM 122");
        assertThat(effects.button("Undo", all)).isEqualTo("Undo and reboot pve2");
        assertThat(effects.button("Apply", List.of(reboot("a"), reboot("b")))).isEqualTo("Apply and reboot a and b");
        assertThat(effects.button("Apply", List.of(reboot("a"), reboot("b"), reboot("c"))))
                .isEqualTo("Apply and reboot a and 2 more");
    }

    @Test
    void aVmThatIsDestroyedIsWorseThanAnyReboot() {
        List<Change> all = List.of(new VmRemoval("pve2", 130, "gpu-new", "11111111-2222-3333-4444-555555555555"),
                reboot("pve2"));
        assertThat(effects.button("Undo", all)).isEqualTo("Undo and destroy VM 130");
        assertThat(Effects.needsYes(all.subList(0, 1))).isTrue();
        assertThat(Effects.severity(all.subList(0, 1))).isEqualTo(Severity.WARNING);
        assertThat(effects.question("Undo", all).title()).isEqualTo("Destroy VM 130?");
        assertThat(effects.question("Undo", all).sentences()).hasSize(2).first().asString()
                .isEqualTo("VM 130 gpu-new is destroyed with its disks. Nothing brings them back.");
    }

    @Test
    void onlyWhatStopsSomethingIsAskedOnceMore() {
        assertThat(Effects.needsYes(List.of(command("true")))).isFalse();
        assertThat(Effects.needsYes(List.of(cycle(122)))).isTrue();
        Effects.Question question = effects.question("Apply", List.of(command("true"), reboot("pve2")));
        assertThat(question.title()).isEqualTo("Reboot pve2?");
        assertThat(question.sentences()).containsExactly("pve2: No guest runs on it now. Back in about 2 min.");
        assertThat(question.button()).isEqualTo("Apply and reboot pve2");
    }
}
