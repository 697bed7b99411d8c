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
        assertThat(look().why()).isEqualTo("you may not patch nodes");
        assertThat(look().notes()).anyMatch(n -> n.contains("kubectl create clusterrole pitwall-patch --verb=patch "
                + "--resource=nodes && kubectl create clusterrolebinding pitwall-patch --clusterrole=pitwall-patch --user="));
    }

    @Test
    void taintsThatAnotherManagerDeclaresAreNotOverwrittenUnlessThatIsChosen() {
        scene.operator("v26.3.2", TOLERATES).taint("worker-1", "dedicated", "ml").managed(ObjectType.NODE, "worker-1",
                "argocd-controller", "Apply", "{f:spec: {f:taints: {}}}");
        Answer blocked = look();
        assertThat(blocked.state()).isEqualTo(State.BLOCKED);
        assertThat(blocked.why()).isEqualTo("spec.taints of nodes/worker-1 is kept by Argo CD (field manager argocd-controller, "
                + "since 2026-08-30T10:00:00Z), which would write it back");
        assertThat(blocked.notes()).anyMatch(n -> n.startsWith("Set spec.taints to [{\"key\":\"dedicated\"")
                && n.contains("source of its Application")).anyMatch(n -> n.contains("take-over=yes"));

        Answer taken = scene.choose("take-over", "yes").look("taint");
        assertThat(taken.state()).isEqualTo(State.READY);
        assertThat(((ManifestChange) taken.changes().getFirst()).others()).isEqualTo(ManifestChange.Others.TAKEN_OVER);
        assertThat(taken.notes()).anyMatch(n -> n.startsWith("Taken over: spec.taints")).anyMatch(n -> n.startsWith("Undo puts back") && n.contains("pitwall stands for Argo CD"));
    }

    @Test
    void whoHasOnlySetAFieldIsToldAndFollowed() {
        scene.operator("v26.3.2", TOLERATES).taint("worker-1", "dedicated", "ml").managed(ObjectType.NODE, "worker-1",
                "kubectl-taint", "Update", "{f:spec: {f:taints: {}}}");

        assertThat(look().state()).isEqualTo(State.READY);
        assertThat(look().notes()).anyMatch(n -> n.startsWith("spec.taints of nodes/worker-1 was set by kubectl-taint, since"));
    }

    @Test
    void aFieldThatAnotherManagerDeclaresAndThatStaysAsItIsIsNoConflict() {
        scene.operator("v26.3.2", TOLERATES).label("worker-1", "a", "b").managed(ObjectType.NODE, "worker-1",
                "kustomize-controller", "Apply", "{f:metadata: {f:labels: {f:a: {}}}}");

        assertThat(look().state()).isEqualTo(State.READY);
    }
}
