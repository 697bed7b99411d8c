package dev.pitwall.lab.kube.control.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.Resource;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RolloutProperties {

    @Provide
    Arbitrary<String> portions() {
        return Arbitraries.oneOf(Arbitraries.integers().between(0, 4).map(String::valueOf),
                Arbitraries.integers().between(0, 100).map(share -> "'" + share + "%'"));
    }

    /** What is in between, at every moment that anybody could have looked. */
    private record Seen(int active, int available) {
    }

    @Property(tries = 40)
    void however_templates_change_a_rollout_keeps_its_bounds_and_ends_with_the_last(
            @ForAll @IntRange(min = 1, max = 9) int replicas, @ForAll("portions") String surge,
            @ForAll("portions") String unavailable,
            @ForAll @Size(min = 1, max = 4) List<@IntRange(min = 0, max = 9) Integer> pauses) {
        Assume.that(!(surge.equals("0") && unavailable.equals("0")));
        List<Seen> seen = new ArrayList<>();
        try (WorkloadRig rig = new WorkloadRig(r -> seen.add(new Seen(r.active().size(),
                (int) r.active().stream().filter(PodFacts::ready).count())))) {
            rig.node("n1", "");
            rig.create(Resource.DEPLOYMENTS, """
                    metadata: {name: web}
                    spec:
                      replicas: %d
                      strategy: {rollingUpdate: {maxSurge: %s, maxUnavailable: %s}}
                      selector: {matchLabels: {app: web}}
                      template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: first}]}}
                    """.formatted(replicas, surge, unavailable));
            rig.pass(10);
            seen.clear();
            DeploymentPlan plan = DeploymentPlan.of(rig.item(Resource.DEPLOYMENTS, "web"));
            for (int i = 0; i < pauses.size(); i++) {
                rig.image(Resource.DEPLOYMENTS, "web", "image-" + i);
                rig.pass(pauses.get(i));
            }
            rig.pass(300);
            assertThat(seen).allMatch(moment -> moment.active() <= plan.mostReplicas())
                    .allMatch(moment -> moment.available() >= plan.leastAvailable());
            assertThat(rig.pods()).hasSize(replicas)
                    .allMatch(pod -> WorkloadRig.image(pod).equals("image-" + (pauses.size() - 1)));
            assertThat(rig.condition(Resource.DEPLOYMENTS, "web", "Progressing"))
                    .startsWith("True NewReplicaSetAvailable");
        }
    }

    @Property(tries = 40)
    void however_it_is_scaled_in_the_middle_of_a_rollout_it_ends_with_as_many_as_wanted(
            @ForAll @IntRange(min = 0, max = 9) int first,
            @ForAll @Size(min = 1, max = 4) List<@IntRange(min = 0, max = 12) Integer> sizes) {
        try (WorkloadRig rig = WorkloadRig.plain()) {
            rig.node("n1", "");
            rig.create(Resource.DEPLOYMENTS, """
                    metadata: {name: web}
                    spec:
                      replicas: %d
                      selector: {matchLabels: {app: web}}
                      template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: first}]}}
                    """.formatted(first));
            rig.pass(10);
            rig.image(Resource.DEPLOYMENTS, "web", "second");
            for (int size : sizes) {
                rig.pass(3);
                rig.spec(Resource.DEPLOYMENTS, "web", spec -> spec.put("replicas", size));
            }
            rig.pass(300);
            assertThat(rig.pods()).hasSize(sizes.getLast()).allMatch(pod -> WorkloadRig.image(pod).equals("second"));
            assertThat(rig.condition(Resource.DEPLOYMENTS, "web", "Progressing"))
                    .startsWith("True NewReplicaSetAvailable");
        }
    }

    @Property(tries = 30)
    void a_daemon_set_rolls_within_its_leeway_to_the_last_template(@ForAll @IntRange(min = 1, max = 7) int nodes,
            @ForAll @IntRange(min = 1, max = 100) int share, @ForAll boolean surges,
            @ForAll @Size(min = 1, max = 4) List<@IntRange(min = 0, max = 9) Integer> pauses) {
        List<Seen> seen = new ArrayList<>();
        try (WorkloadRig rig = new WorkloadRig(r -> seen.add(new Seen(r.active().size(),
                (int) r.active().stream().filter(PodFacts::ready).map(PodFacts::node).distinct().count())))) {
            for (int i = 0; i < nodes; i++) {
                rig.node("n" + i, "");
            }
            rig.create(Resource.DAEMON_SETS, """
                    metadata: {name: agent}
                    spec:
                      updateStrategy: {rollingUpdate: {maxSurge: %s, maxUnavailable: %s}}
                      selector: {matchLabels: {app: agent}}
                      template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: main, image: first}]}}
                    """.formatted(surges ? share + "%" : "0", surges ? "0" : share + "%"));
            rig.pass(10);
            seen.clear();
            DaemonPlan.Leeway leeway =
                    DaemonPlan.of(rig.item(Resource.DAEMON_SETS, "agent")).leeway(nodes);
            for (int i = 0; i < pauses.size(); i++) {
                rig.image(Resource.DAEMON_SETS, "agent", "image-" + i);
                rig.pass(pauses.get(i));
            }
            rig.pass(300);
            assertThat(seen).allMatch(moment -> moment.active() <= nodes + leeway.surge());
            if (surges || pauses.size() == 1) {
                assertThat(seen).allMatch(moment -> moment.available() >= nodes - leeway.unavailable());
            }
            assertThat(rig.pods()).hasSize(nodes)
                    .allMatch(pod -> WorkloadRig.image(pod).equals("image-" + (pauses.size() - 1)));
            assertThat(rig.status(Resource.DAEMON_SETS, "agent").path("updatedNumberScheduled").asInt())
                    .isEqualTo(nodes);
        }
    }
}
