package dev.pitwall;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** From a VM without its card to a node that nothing keeps from the operator's driver, over the lab's sockets. */
class BareVmNodeTest {
    private static final Situation.Subject CARD = NodeBench.card("pve1", "0000:01:00");
    private static final String NODE = "rke2-worker-dc1-gpu-a";

    private static final ObjectRef LONELY = new ObjectRef(ObjectType.POD, "default", "lonely");
    private static final String POD = """
            metadata: {labels: {app: lonely}}
            spec:
              nodeSelector: {kubernetes.io/hostname: rke2-worker-dc1-gpu-a}
              tolerations: [{operator: Exists}]
              securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
              containers:
              - name: main
                image: nginx:1.29
                resources: {requests: {cpu: 10m, memory: 16Mi}}
                securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
            """;

    @TempDir
    private Path dir;

    @Test
    void nouveauLeavesTheCardToTheOperatorAfterTheNodesPodsHaveLeft() throws Exception {
        try (NodeBench bench = new NodeBench(dir, "garage")) {
            bench.create(LONELY, POD);
            Choices choices = NodeBench.choices("vm", "121", "drain", "evict");
            Answer usual = bench.step(bench.look(CARD, NodeBench.choices("vm", "121")), "driver");
            assertThat(((NodeReboot) usual.foreseen().getLast()).stops()).extracting(p -> p.place()).contains("default/lonely");
            assertThat(bench.asked(CARD, NodeBench.choices("vm", "121"), "bind")).as("the host is prepared")
                    .isNotEmpty().noneMatch(call -> call.startsWith("garage ") || call.startsWith("helm"));
            assertThat(bench.asked(CARD, choices, "guest").stream().filter(c -> c.startsWith("garage ") || c.startsWith("helm")))
                    .as("whose pods leave").allMatch(call -> call.contains(" nodes") || call.contains(" pods")).isNotEmpty();
            CardPlan first = bench.look(CARD, choices);
            Answer driver = bench.step(first, "driver");
            assertThat(driver.state()).as(driver.why()).isEqualTo(Answer.State.WAITING);
            assertThat(driver.foreseen()).extracting(c -> c.target()).containsExactly("/etc/modprobe.d/zz-pitwall.conf",
                    "update-initramfs -u -k all", "Drain and reboot " + NODE);
            assertThat(bench.step(first, "runtime").state()).isEqualTo(Answer.State.NOT_APPLICABLE);
            assertThat(((NodeReboot) driver.foreseen().getLast()).drain().orElseThrow().names()).isEqualTo("default/lonely");

            RunRecord run = bench.walk(CARD, choices, "runtime");

            assertThat(run.state()).as(run.toString()).isEqualTo(RunRecord.State.DONE);
            assertThat(bench.run(NODE, "lsmod")).doesNotContain("nouveau");
            assertThat(bench.asked(CARD, choices, "guest")).as("nothing goes down").isNotEmpty()
                    .noneMatch(call -> call.startsWith("garage ") || call.startsWith("helm"));
            assertThat(bench.step(bench.look(CARD, choices), "driver").state()).isEqualTo(Answer.State.NOT_APPLICABLE);
            assertThat(bench.cluster().get(LONELY)).as("the pod that left").isEmpty();
            JsonNode node = bench.cluster().get(ObjectRef.of(ObjectType.NODE, NODE)).orElseThrow();
            assertThat(node.at("/spec/unschedulable").asBoolean(false)).isFalse();
        }
    }
}
