package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.read.SharingReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SharingStepTest {
    private final CardScene scene = new CardScene().operator("v26.3.2", "{}");

    private Answer look() {
        return scene.look("sharing");
    }

    @Test
    void withoutAChoiceTheCardIsNotShared() {
        assertThat(look().state()).isEqualTo(State.NOT_APPLICABLE);
        assertThat(look().changes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"time-slicing:4", "mps:4"})
    void theConfigurationIsThereBeforeThePolicyNamesItAndTheNodeAsksForIt(String choice) throws Exception {
        Answer answer = scene.choose("sharing", choice).look("sharing");

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        assertThat(answer.changes()).extracting(Change::target).containsExactly(
                "configmaps/pitwall-sharing in gpu-operator", "clusterpolicies.nvidia.com/cluster-policy", "nodes/worker-1");
        ManifestChange policy = (ManifestChange) answer.changes().get(1);
        assertThat(policy.after()).contains(PaperCluster.yaml("{spec: {devicePlugin: {config: {name: pitwall-sharing}}}}"));
        ManifestChange map = (ManifestChange) answer.changes().getFirst();
        assertThat(new SharingReader().read(map.after().orElseThrow()).sections()).singleElement().satisfies(s -> {
            assertThat(s.problems()).isEmpty();
            assertThat(s.strategy()).contains(choice.substring(0, choice.indexOf(':')));
            assertThat(s.resources().getFirst().replicas()).hasValue(4);
        });
        assertThat(answer.notes()).anyMatch(n -> n.contains("kept apart") || n.contains("apart"))
                .anyMatch(n -> n.contains("-SHARED"));

        scene.make(answer.changes());
        assertThat(look().state()).isEqualTo(State.WAITING);
        assertThat(look().coming()).isPresent();
        scene.node("worker-1").withObjectProperty("status").withObjectProperty("allocatable").put("nvidia.com/gpu", "4");
        assertThat(look().state()).as(look().why()).isEqualTo(State.DONE);
    }

    @Test
    void aConfigMapThatThePolicyNamesAlreadyGetsOneMoreEntry() {
        policy("{devicePlugin: {config: {name: mine, default: any}}}");
        scene.cluster.with(ObjectType.CONFIG_MAP, "{metadata: {name: mine, namespace: gpu-operator}, data: {any: 'version: v1'}}");

        List<Change> changes = scene.choose("sharing", "time-slicing:2").look("sharing").changes();

        assertThat(changes).extracting(Change::target).containsExactly("configmaps/mine in gpu-operator", "nodes/worker-1");
        assertThat(((ManifestChange) changes.getFirst()).before()).contains(PaperCluster.yaml(
                "{data: {pitwall-time-slicing-2: null}}"));
    }

    @Test
    void anEntryThatSomebodyEditedIsPutRightAndThePluginStartsAnew() {
        policy("{devicePlugin: {config: {name: pitwall-sharing}}}");
        scene.cluster.with(ObjectType.CONFIG_MAP, "{metadata: {name: pitwall-sharing, namespace: gpu-operator}, data: "
                + "{pitwall-time-slicing-2: 'version: v1'}}");
        scene.cluster.with(ObjectType.DAEMON_SET, "{metadata: {name: nvidia-device-plugin-daemonset, namespace: gpu-operator, "
                + "ownerReferences: [{kind: ClusterPolicy}]}, spec: {template: {metadata: {}}}}");

        assertThat(scene.choose("sharing", "time-slicing:2").look("sharing").changes()).extracting(Change::target)
                .containsExactly("configmaps/pitwall-sharing in gpu-operator",
                        "daemonsets.apps/nvidia-device-plugin-daemonset in gpu-operator", "nodes/worker-1");
    }

    @Test
    void mpsAndMigDoNotMix() {
        policy("{mig: {strategy: mixed}}");
        assertThat(scene.choose("sharing", "mps:2").look("sharing").state()).isEqualTo(State.BLOCKED);
        assertThat(scene.choose("sharing", "time-slicing:2").look("sharing").state()).isEqualTo(State.READY);

        scene.label("worker-1", "nvidia.com/mig.config", "all-1g.5gb");
        assertThat(look().state()).isEqualTo(State.BLOCKED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"time-slicing:1", "mps:99", "half", "mps"})
    void whatIsNoWayOfSharingIsRefused(String choice) {
        Answer answer = scene.choose("sharing", choice).look("sharing");

        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.questions().getFirst().options()).as("it is not offered").noneMatch(o -> o.value().equals(choice));
        assertThat(answer.why()).contains(choice, "48");
    }

    @Test
    void sharingEndsWhenThatIsChosen() throws Exception {
        scene.label("worker-1", "nvidia.com/device-plugin.config", "pitwall-mps-2");
        assertThat(look().state()).isEqualTo(State.NOT_APPLICABLE);

        Answer answer = scene.choose("sharing", "none").look("sharing");
        assertThat(((ManifestChange) answer.changes().getFirst()).after()).contains(PaperCluster.yaml(
                "{metadata: {labels: {nvidia.com/device-plugin.config: null}}}"));

        CardScene others = new CardScene().operator("v26.3.2", "{}").choose("sharing", "none")
                .label("worker-1", "nvidia.com/device-plugin.config", "mine");
        assertThat(others.look("sharing").changes()).isEmpty();
    }

    @Test
    void beforeTheOperatorIsThereItWaits() {
        assertThat(new CardScene().choose("sharing", "mps:2").look("sharing").state()).isEqualTo(State.WAITING);
    }

    @Test
    void anUpgradeKeepsWhatThePolicyWasGiven() {
        policy("{devicePlugin: {config: {name: pitwall-sharing}}}");
        scene.choose("operator-version", "v26.3.3");

        assertThat(scene.look("operator").changes().toString()).contains("devicePlugin.config.name", "pitwall-sharing");
    }

    private void policy(String spec) {
        ObjectNode policy = (ObjectNode) scene.cluster.objects.get(ObjectType.CLUSTER_POLICY).getFirst();
        policy.set("spec", PaperCluster.yaml(spec));
    }
}
