package dev.pitwall.ui.operand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.ClusterReport;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.Observed;
import dev.pitwall.card.PodReport;
import dev.pitwall.card.PodReport.ContainerReport;
import dev.pitwall.card.Trouble;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperandLinesTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private final OperandLines lines = new OperandLines(new Texts());

    @Test
    void theLowestThatWaitsHasColourAndThoseAboveItAreGrey() {
        OperandPage page = of(pod("nvidia-driver-daemonset", starting("nvidia-driver-ctr", 60)),
                pod("nvidia-container-toolkit-daemonset", initialising("driver-validation", 60)));
        assertThat(page.lines()).extracting(OperandPage.Line::name).containsExactly("Container toolkit", "Driver");
        OperandPage.Line driver = page.lines().getLast();
        assertThat(driver.mark()).isEqualTo(Mark.RING);
        assertThat(driver.tone()).isEqualTo(Tone.ACT);
        assertThat(driver.word()).isEqualTo("waits");
        assertThat(driver.beside()).isEqualTo("normal");
        assertThat(driver.text()).isEqualTo("compiling · 1:00 of about 3 min");
        assertThat(driver.progress().orElseThrow()).isBetween(0.3, 0.4);
        OperandPage.Line toolkit = page.lines().getFirst();
        assertThat(toolkit.mark()).isEqualTo(Mark.CLOCK);
        assertThat(toolkit.tone()).isEqualTo(Tone.GREY);
        assertThat(toolkit.text()).startsWith("for the driver · ");
    }

    @Test
    void aWaitThatIsLongerThanUsualSaysSoAndStillDoesNotFail() {
        OperandPage.Line driver = of(pod("nvidia-driver-daemonset", starting("nvidia-driver-ctr", 400))).lines().getFirst();
        assertThat(driver.word()).isEqualTo("waits");
        assertThat(driver.beside()).isNotEqualTo("normal").isNotEmpty();
        assertThat(driver.mark()).isEqualTo(Mark.RING);
    }

    @Test
    void whatCrashesFails() {
        OperandPage.Line plugin = of(pod("nvidia-device-plugin-daemonset", new ContainerReport("plugin", "waiting", false, 4,
                Optional.of("CrashLoopBackOff"), Optional.of("back-off 40s"), Optional.empty(), Optional.of("Error"),
                Optional.of(1), Optional.empty()))).lines().getFirst();
        assertThat(plugin.mark()).isEqualTo(Mark.FAILING);
        assertThat(plugin.word()).isEqualTo("fails");
        assertThat(plugin.pod()).endsWith("4 restarts");
    }

    @Test
    void whatASilentClusterSaidLastIsShownAsOld() {
        Observed<ClusterReport> silent = Observed.fresh("cluster", report(List.of(pod("nvidia-driver-daemonset",
                starting("nvidia-driver-ctr", 60)))), NOW).failed(new Trouble(Trouble.Kind.TIMEOUT, "api:6443", "no answer",
                "Check it."), NOW);
        OperandPage page = lines.of(Optional.of(silent), Optional.of("worker"), NOW);
        assertThat(page.word()).isEqualTo("This is what was: api:6443: no answer");
        assertThat(page.lines()).extracting(OperandPage.Line::mark).containsOnly(Mark.QUESTION);
    }

    @Test
    void withoutANodeItSaysWhatIsMissing() {
        assertThat(lines.of(Optional.empty(), Optional.of("worker"), NOW).word()).isEqualTo("This site has no cluster.");
        assertThat(lines.of(Optional.of(Observed.fresh("cluster", report(List.of()), NOW)), Optional.empty(), NOW).word())
                .isEqualTo("No node of the cluster has this card yet.");
        assertThat(of().word()).isEqualTo("No operand has a pod on this node yet.");
    }

    private OperandPage of(PodReport... pods) {
        return lines.of(Optional.of(Observed.fresh("cluster", report(List.of(pods)), NOW)), Optional.of("worker"), NOW);
    }

    private static ClusterReport report(List<PodReport> pods) {
        NodeReport node = new NodeReport("worker", Optional.empty(), Map.of(), List.of(), Map.of(), Map.of(), List.of(), false,
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        return new ClusterReport("v1.33", List.of(node), pods, pods.size(), List.of(), Optional.empty(), List.of());
    }

    private static PodReport pod(String set, ContainerReport container) {
        boolean init = container.name().endsWith("-validation");
        return new PodReport("gpu-operator", set + "-x1", "u", Optional.of(set), Optional.of("DaemonSet/" + set),
                Optional.of("worker"), Optional.empty(), init ? "Pending" : "Running", Optional.empty(), Map.of(), false, false,
                Optional.of(NOW.minusSeconds(500)), Optional.empty(), init ? List.of(container) : List.of(),
                init ? List.of() : List.of(container));
    }

    private static ContainerReport starting(String name, int seconds) {
        return new ContainerReport(name, "running", false, 0, Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.of(NOW.minusSeconds(seconds)));
    }

    private static ContainerReport initialising(String name, int seconds) {
        return starting(name, seconds);
    }
}
