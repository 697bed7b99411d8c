package dev.pitwall.lab.kube.seed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.agent.AgentLab;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FleetPodsTest {

    @Test
    void podsRunWhenThePresentBeginsAndSomeComeAndGo() throws Exception {
        AgentLab lab = new AgentLab("garage");
        lab.world.change(w -> {
            w.pods = 500;
            w.podChangesPerSecond = 50;
        });
        FleetPods fleet = new FleetPods(lab.world, lab.store, lab.clock, AgentLab.NOW);
        Instant now = AgentLab.NOW;
        fleet.act(now);
        Set<String> before = names(lab);
        assertThat(before).hasSize(500);
        assertThat(lab.store.list(Resource.PODS, "").objects()).allSatisfy(pod -> {
            assertThat(pod.tree().at("/status/phase").asText()).isEqualTo("Running");
            assertThat(lab.world.nodes.get(pod.tree().at("/spec/nodeName").asText()).cards).isEmpty();
        });
        long revision = lab.store.revision();
        for (int i = 0; i < 50; i++) {
            now = fleet.act(now);
        }
        long changes = lab.store.revision() - revision;
        double seconds = Duration.between(AgentLab.NOW, now).toMillis() / 1000.0;
        assertThat(changes / seconds).isBetween(45.0, 51.0);
        assertThat(names(lab)).hasSizeBetween(499, 500).isNotEqualTo(before);
    }

    private static Set<String> names(AgentLab lab) {
        Set<String> names = new TreeSet<>();
        lab.store.list(Resource.PODS, "").objects().forEach(pod -> names.add(pod.key().name()));
        return names;
    }
}
