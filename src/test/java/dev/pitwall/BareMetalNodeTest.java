package dev.pitwall;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Driver and toolkit as packages of a bare machine, over the lab's sockets: installed, proved, and taken back. */
class BareMetalNodeTest {
    private static final Situation.Subject CARD = NodeBench.card("anvil", "0000:41:00");

    @TempDir
    private Path dir;

    @Test
    void theOperatingSystemGetsDriverAndToolkitAndGivesThemBack() throws Exception {
        try (NodeBench bench = new NodeBench(dir, "metal")) {
            Choices choices = NodeBench.choices("driver", "os");
            CardPlan first = bench.look(CARD, choices);
            assertThat(bench.step(first, "driver").why()).isEqualTo("installs driver 595 (open modules) on anvil and reboots it");
            List<String> before = bench.disk("anvil");

            RunRecord run = bench.walk(CARD, choices, "runtime");

            assertThat(run.state()).as(run.toString()).isEqualTo(RunRecord.State.DONE);
            assertThat(bench.run("anvil", "nvidia-smi", "-L")).contains("GPU 0: NVIDIA GeForce RTX 3090", "GPU 1:");
            assertThat(bench.run("anvil", "lsmod")).doesNotContain("nouveau");
            assertThat(bench.world().<Boolean>read(w -> w.nodes.get("anvil").toolkitReady)).isTrue();
            CardPlan after = bench.look(CARD, choices);
            assertThat(List.of(bench.step(after, "driver").state(), bench.step(after, "runtime").state()))
                    .containsOnly(Answer.State.DONE);
            assertThat(bench.walk(CARD, choices, "runtime").state()).isEqualTo(RunRecord.State.ALREADY_SO);

            RunRecord undone = bench.undo(run.number());

            assertThat(undone.state()).as(undone.toString()).isEqualTo(RunRecord.State.DONE);
            assertThat(bench.disk("anvil")).isEqualTo(before);
            assertThat(bench.run("anvil", "lsmod")).contains("nouveau").doesNotContain("nvidia_uvm");
        }
    }
}
