package dev.pitwall;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** From a bare scene to a model that answers on the card, in one walk, and back again, over the lab's sockets. */
class WholeWayTest {
    @TempDir
    private Path dir;

    @Test
    void aCardOfAVmGetsItsDriverFromTheOperatorAndServesAModel() throws Exception {
        wholeWay("garage", NodeBench.card("pve2", "0000:01:00"), "rke2-worker-dc2-gpu-a", Choices.NONE);
    }

    @Test
    void aCardOfABareMachineGetsItsDriverFromTheSystemAndServesAModel() throws Exception {
        wholeWay("metal", NodeBench.card("anvil", "0000:41:00"), "anvil", NodeBench.choices("driver", "os"));
    }

    @Test
    void aCardOfATalosNodeGetsItsDriverByExtensionAndServesAModel() throws Exception {
        wholeWay("talos", NodeBench.card("forge", "0000:01:00"), "talos-gpu-5090", Choices.NONE);
    }

    private void wholeWay(String scene, Situation.Subject card, String node, Choices choices) throws Exception {
        try (NodeBench bench = new NodeBench(dir, scene)) {
            List<String> before = cluster(bench);

            RunRecord run = bench.walk(card, choices, "server");

            assertThat(run.state()).as(run.toString()).isEqualTo(RunRecord.State.DONE);
            assertThat(run.changes()).filteredOn(c -> c.step().equals("proof")).extracting(c -> c.message().orElse(""))
                    .anySatisfy(said -> assertThat(said).startsWith("Test PASSED in "));
            assertThat(run.changes()).last().extracting(ChangeRecord::step).isEqualTo("server");
            assertThat(run.changes().getLast().message()).hasValueSatisfying(said ->
                    assertThat(said).startsWith("answered in ").contains("all of it on the card"));
            assertThat(node(bench, node).at("/status/allocatable/nvidia.com~1gpu").asInt()).isPositive();

            RunRecord again = bench.walk(card, choices, "server");
            assertThat(again.state()).as(again.toString()).isEqualTo(RunRecord.State.ALREADY_SO);

            RunRecord undo = bench.undo(run.number());
            assertThat(undo.state()).as(undo.toString()).isEqualTo(RunRecord.State.DONE);
            // A node that was just started is tainted until its kubelet has reported.
            await().untilAsserted(() -> assertThat(cluster(bench)).containsExactlyElementsOf(before));
        }
    }

    private static JsonNode node(NodeBench bench, String name) throws Exception {
        return bench.cluster().get(ObjectRef.of(ObjectType.NODE, name)).orElseThrow();
    }

    /** What a person would look at to see whether everything is gone, a line each. */
    private static List<String> cluster(NodeBench bench) throws Exception {
        TreeSet<String> all = new TreeSet<>();
        for (ObjectType type : List.of(ObjectType.NAMESPACE, ObjectType.DEFINITION, ObjectType.RUNTIME_CLASS,
                ObjectType.DAEMON_SET, ObjectType.DEPLOYMENT, ObjectType.VOLUME_CLAIM, ObjectType.SERVICE)) {
            bench.cluster().list(type, "", "").forEach(o -> all.add(type.plural() + " "
                    + o.at("/metadata/namespace").asText("") + "/" + o.at("/metadata/name").asText()));
        }
        for (JsonNode node : bench.cluster().list(ObjectType.NODE, "", "")) {
            TreeMap<String, String> labels = new TreeMap<>();
            node.at("/metadata/labels").properties().forEach(l -> labels.put(l.getKey(), l.getValue().asText()));
            all.add("node " + node.at("/metadata/name").asText() + " " + labels + " " + node.at("/spec"));
        }
        return List.copyOf(all);
    }
}
