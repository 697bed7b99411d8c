package dev.pitwall.journey.guest;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Found;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import static org.assertj.core.api.Assertions.assertThat;

/** Which VM is taken where nobody has chosen one. */
class PresetVmTest {
    private static final List<String> GPU = List.of("nvidia.com/gpu");
    private static final String MASTER = "node-role.kubernetes.io/control-plane=true";

    @Test
    void theOnlyNodeThatIsMarkedForCardsIsTakenAndSaysWhy() {
        Scene scene = open().joins("gpu-1", Scene.WORKER, GPU, "nodepool=gpu").worker(141, Map.of(), List.of());
        Answer answer = scene.look("vm");

        assertThat(answer.state()).isEqualTo(State.DONE);
        assertThat(answer.why()).isEqualTo("VM 122 gpu-worker-1, taken because no other VM of pve1 is a node that is meant for a card");
        assertThat(answer.questions()).filteredOn(q -> q.key().equals("vm")).singleElement()
                .satisfies(q -> assertThat(q.chosen()).isEqualTo("122"));
        Found marks = answer.found().stream().filter(f -> f.name().equals("Marks of that node")).findFirst().orElseThrow();
        assertThat(marks.value()).isEqualTo("nvidia.com/gpu · nodepool=gpu");
        assertThat(marks.source().detail()).isEqualTo("kubectl get node gpu-1 -o yaml");
        assertThat(marks.deciding()).hasSize(2);
        assertThat(scene.look("attach").state()).isEqualTo(State.READY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nodepool=gpu", "example.com/node-pool=big-gpu", "node-role.kubernetes.io/gpu=",
            "gpu.nvidia.com/gpu-node=true", "accelerator=nvidia-rtx", "node.kubernetes.io/instance-type=gpu.large"})
    void aLabelThatSaysForWhatTheNodeIsMarksIt(String label) {
        Scene scene = open().joins("w-1", Scene.WORKER, List.of(), label).worker(141, Map.of(), List.of());

        assertThat(ChosenVm.of(scene.situation())).isEqualTo(OptionalInt.of(122));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes.io/hostname=worker-gpu-a", "gpu-node=false", "nodepool=cpu",
            "feature.node.kubernetes.io/pci-10de.present=true", "team=gpupeople"})
    void aNameAndWhatOnlyLooksLikeAMarkIsNone(String label) {
        Scene scene = open().joins("w-1", Scene.WORKER, List.of(), label).worker(141, Map.of(), List.of());

        assertThat(scene.look("vm").state()).isEqualTo(State.WAITING);
    }

    @Test
    void twoNodesThatAreMarkedAreNamedAndLeftToThePerson() {
        Scene scene = open().joins("gpu-1", Scene.WORKER, GPU).worker(123, Map.of(), List.of(), "nodepool=gpu");

        assertThat(scene.look("vm").state()).isEqualTo(State.WAITING);
        assertThat(scene.look("vm").why())
                .isEqualTo("choose a VM: 122 gpu-worker-1, 123 worker-123 are nodes that are meant for a card");
        assertThat(scene.choose("vm", "123").look("vm").why()).isEqualTo("VM 123 worker-123");
    }

    @Test
    void aMarkedNodeThatHasACardAlreadyIsTakenOnlyWhereThereIsNoOther() {
        Map<String, String> other = Map.of("hostpci0", "0000:02:00");
        Scene both = open().twin().joins("gpu-1", Scene.WORKER, GPU).worker(123, other, GPU);
        Scene alone = open().twin().set("hostpci0", "0000:02:00").joins("gpu-1", Scene.WORKER, GPU).worker(141, Map.of(), List.of());

        assertThat(ChosenVm.of(both.situation())).isEqualTo(OptionalInt.of(122));
        assertThat(ChosenVm.of(alone.situation())).isEqualTo(OptionalInt.of(122));
    }

    @Test
    void withoutMarksTheOnlyWorkerIsTakenAndNeverAControlPlane() {
        Scene one = open().joins("w-1", Scene.WORKER, List.of()).worker(101, Map.of(), List.of(), MASTER);
        Scene two = open().joins("w-1", Scene.WORKER, List.of()).worker(141, Map.of(), List.of());
        Scene busy = open().twin().set("hostpci0", "0000:02:00").joins("w-1", Scene.WORKER, List.of());

        assertThat(one.look("vm").why()).contains("no other VM of pve1 is a worker of the cluster");
        assertThat(two.look("vm").why()).contains("122 gpu-worker-1, 141 worker-141 are workers");
        assertThat(busy.look("vm").state()).isEqualTo(State.WAITING);
    }

    @Test
    void whatProxmoxHasLockedOrHaKeepsOffIsNotTaken() {
        Scene locked = open().joins("gpu-1", Scene.WORKER, GPU);
        locked.guestLock = Optional.of("backup");
        Scene off = open().joins("gpu-1", Scene.WORKER, GPU);
        off.ha = Optional.of("stopped");
        Scene template = open().set("template", "1").joins("gpu-1", Scene.WORKER, GPU);

        assertThat(List.of(locked, off, template)).allMatch(s -> s.look("vm").state() == State.WAITING);
    }

    @Test
    void aVmThatIsOffAndNoNodeGivesWayToTheNodeThatIsMeant() {
        Map<String, String> card = Map.of("hostpci0", "0000:01:00");
        Scene games = open().joins("gpu-1", Scene.WORKER, GPU).guest(210, "games", "qemu", "stopped", card);
        Scene unmarked = open().joins("w-1", Scene.WORKER, List.of()).guest(210, "games", "qemu", "stopped", card);
        Scene running = open().joins("gpu-1", Scene.WORKER, GPU).guest(210, "games", "qemu", "running", card);

        assertThat(ChosenVm.of(games.situation())).isEqualTo(OptionalInt.of(122));
        assertThat(games.look("vm").notes()).anyMatch(n -> n.contains("210 games") && n.contains("Only one of the two"));
        assertThat(ChosenVm.of(unmarked.situation())).isEqualTo(OptionalInt.of(210));
        assertThat(ChosenVm.of(running.situation())).isEqualTo(OptionalInt.of(210));
    }

    @Test
    void aClusterThatDoesNotAnswerLeavesTheChoiceOpenAndIsNamed() {
        Scene scene = open();
        scene.clusterSilent = Optional.of(new Trouble(Trouble.Kind.CONNECT, "lab", "refused", "See."));

        assertThat(scene.look("vm").state()).isEqualTo(State.WAITING);
        assertThat(scene.look("vm").why()).contains("cluster lab could not be asked");
    }

    private static Scene open() {
        Scene scene = new Scene();
        scene.chosen = false;
        return scene;
    }
}
