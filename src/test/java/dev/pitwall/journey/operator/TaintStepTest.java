package dev.pitwall.journey.operator;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TaintStepTest {
    private static final String TOLERATES = "{daemonsets: {tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]}}";

    private final CardScene scene = new CardScene();

    private Answer look() {
        return scene.look("taint");
    }

    @Test
    void theNodeIsTaintedOnceTheOperandsTolerateIt() throws Exception {
        Answer before = look();
        assertThat(before.state()).isEqualTo(State.WAITING);
        assertThat(before.foreseen()).hasSize(1);

        scene.operator("v26.3.2", TOLERATES);
        Answer answer = look();

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        assertThat(answer.changes()).isEqualTo(before.foreseen());
        ManifestChange change = (ManifestChange) answer.changes().getFirst();
        assertThat(change.before()).contains(PaperCluster.yaml("{spec: {taints: null}}"));
        assertThat(change.after()).contains(PaperCluster.yaml(
                "{spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}}"));
        scene.make(answer.changes());
        assertThat(look().state()).isEqualTo(State.DONE);
    }

    @Test
    void otherTaintsOfTheNodeStay() {
        scene.operator("v26.3.2", TOLERATES).taint("worker-1", "dedicated", "ml");

        ManifestChange change = (ManifestChange) look().changes().getFirst();

        assertThat(change.after().orElseThrow().at("/spec/taints")).hasSize(2);
    }

    @Test
    void anotherValueThatIsThereIsKept() {
        scene.operator("v26.3.2", TOLERATES).taint("worker-1", "nvidia.com/gpu", "true");

        Answer answer = look();

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("nvidia.com/gpu=true:NoSchedule");
        assertThat(answer.notes()).anyMatch(n -> n.contains("is kept"));
    }

    @Test
    void theOnlyNodeThatTakesPodsIsLeftOpenUnlessThatIsChosen() {
        scene.operator("v26.3.2", TOLERATES).taint("server-1", "node-role.kubernetes.io/control-plane", "");
        assertThat(look().state()).isEqualTo(State.NOT_APPLICABLE);

        assertThat(scene.choose("taint", "present").look("taint").state()).isEqualTo(State.READY);
    }

    @Test
    void aTaintThatAnOperandDoesNotTolerateIsRefused() {
        scene.operator("v26.3.2", "{daemonsets: {tolerations: []}}");
        Answer answer = look();
        assertThat(answer.state()).isEqualTo(State.BLOCKED);
        assertThat(answer.why()).contains("cluster-policy", "nvidia.com/gpu=present:NoSchedule");

        CardScene nfd = new CardScene().operator("v26.3.2", TOLERATES);
        nfd.cluster.with(ObjectType.DAEMON_SET, "{metadata: {name: nfd-worker, namespace: nfd}, spec: {template: {spec: {}}}}");
        assertThat(nfd.look("taint").why()).contains("nfd/nfd-worker");
    }

    @Test
    void podsThatWouldNotComeBackAreNamed() {
        scene.operator("v26.3.2", TOLERATES);
        scene.cluster.with(ObjectType.POD, "{metadata: {name: shop, namespace: web}, spec: {nodeName: worker-1}, status: {phase: Running}}");

        assertThat(look().notes()).anyMatch(n -> n.contains("web/shop"));
    }

    @Test
    void aLabelIsSetOnlyWhenAskedFor() {
        scene.operator("v26.3.2", TOLERATES).choose("node-label", "nodepool=gpu").choose("taint", "none");

        ManifestChange change = (ManifestChange) look().changes().getFirst();

        assertThat(change.after()).contains(PaperCluster.yaml("{metadata: {labels: {nodepool: gpu}}}"));
        assertThat(scene.choose("node-label", "no pool").look("taint").state()).isEqualTo(State.BLOCKED);
    }

    @Test
    void aRightThatIsMissingIsToldBefore() {
        scene.operator("v26.3.2", TOLERATES).cluster.denied.add("patch nodes");

        assertThat(look().state()).isEqualTo(State.BLOCKED);
    }
}
