package dev.pitwall;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.NodeReboot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** From a VM without its card to a node that nothing keeps from the operator's driver, over the lab's sockets. */
class BareVmNodeTest {
    private static final Situation.Subject CARD = NodeBench.card("pve1", "0000:01:00");
    private static final String NODE = "rke2-worker-dc1-gpu-a";

    @TempDir
    private Path dir;

    @Test
    void nouveauLeavesTheCardToTheOperatorAfterTheNodesPodsHaveLeft() throws Exception {
        try (NodeBench bench = new NodeBench(dir, "garage")) {
            Choices choices = NodeBench.choices("vm", "121", "drain", "evict");
            CardPlan first = bench.look(CARD, choices);
            Answer driver = bench.step(first, "driver");
            assertThat(driver.state()).as(driver.why()).isEqualTo(Answer.State.WAITING);
            assertThat(driver.foreseen()).extracting(c -> c.target()).containsExactly("/etc/modprobe.d/zz-pitwall.conf",
                    "update-initramfs -u -k all", "Drain and reboot " + NODE);
            assertThat(bench.step(first, "runtime").state()).isEqualTo(Answer.State.NOT_APPLICABLE);
            List<Drain.Pod> pods = ((NodeReboot) driver.foreseen().getLast()).drain().orElseThrow().pods();

            RunRecord run = bench.walk(CARD, choices, "runtime");

            assertThat(run.state()).as(run.toString()).isEqualTo(RunRecord.State.DONE);
            assertThat(bench.run(NODE, "lsmod")).doesNotContain("nouveau");
            assertThat(bench.step(bench.look(CARD, choices), "driver").state()).isEqualTo(Answer.State.NOT_APPLICABLE);
            assertThat(pods).as("pods of the node").isNotEmpty();
        }
    }
}
