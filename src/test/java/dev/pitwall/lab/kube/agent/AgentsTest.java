package dev.pitwall.lab.kube.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.seed.FleetPods;
import dev.pitwall.lab.kube.seed.Seeds;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentsTest {
    @ParameterizedTest
    @ValueSource(strings = {"garage", "talos", "metal"})
    void weeksOfThePastAreLivedThroughInFewMoments(String scene) throws Exception {
        AgentLab lab = new AgentLab(scene);
        Instant begin = Seeds.begin(lab.world);
        try (Agents agents = new Agents(lab.world, lab.store, lab.clock, AgentLab.NOW,
                new Agents.Sockets(name -> Optional.empty(), Optional::empty))) {
            lab.with(agents.admission()).with(new Seeds(lab.world, lab.hand, begin))
                    .with(new FleetPods(lab.world, lab.store, lab.clock, AgentLab.NOW));
            agents.controllers(lab.hand, lab.pods, new EventRecorder(lab.store, AgentLab.NOW)).forEach(lab::with);
            lab.readyPod("kyverno", "kyverno-0", "{app.kubernetes.io/component: admission-controller}");
            lab.readyPod("kubemoot", "kubemoot-0", "{app.kubernetes.io/name: kubemoot-operator}");
            lab.readyPod("kubeflow", "notebooks-0", "{app: notebook-controller}");
            AtomicInteger acts = new AtomicInteger();
            lab.counting(acts);
            lab.from(begin, AgentLab.NOW);
            assertThat(acts.get()).isLessThan(5_000);
        }
    }
}
