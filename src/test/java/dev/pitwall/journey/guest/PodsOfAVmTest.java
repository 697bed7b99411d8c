package dev.pitwall.journey.guest;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.change.VmPowerCycle;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/** What a power cycle of a VM that is a node says of its pods. */
class PodsOfAVmTest {
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane=true";

    private static Scene attached() {
        Scene scene = new Scene().set("hostpci0", "0000:01:00,pcie=1");
        scene.live = Optional.of(new TreeMap<>(scene.config));
        scene.live.get().remove("hostpci0");
        return scene.joins("gpu-1", Scene.WORKER, List.of());
    }

    private static VmPowerCycle cycle(Answer answer) {
        return (VmPowerCycle) answer.changes().getFirst();
    }

    @Test
    void thePodsThatMoveAreNamedAndTheRiskIsTheWorst() {
        Answer answer = attached().worker(141, Map.of(), List.of()).pod("web", "gpu-1", "web-1").pod("other", "node-141", "x")
                .look("power-cycle");

        assertThat(answer.state()).as(answer.why()).isEqualTo(State.READY);
        assertThat(cycle(answer).kubernetes().orElseThrow().drain().orElseThrow().names()).isEqualTo("shop/web");
        assertThat(cycle(answer).risk()).isEqualTo(Risk.POWER_CYCLES_VM);
        assertThat(cycle(answer).summary()).isEqualTo("gpu-worker-1: 1 pod leaves before");
        assertThat(answer.notes()).contains("1 pod leaves gpu-1 before and starts elsewhere: shop/web.");
        assertThat(answer.questions()).noneMatch(q -> q.key().equals("drain"));
    }

    @Test
    void aPodThatNobodyMakesAgainStopsAndStartsWithTheVmUnlessItIsToLeaveToo() {
        Scene scene = attached().worker(141, Map.of(), List.of()).pod("lonely", "gpu-1", "").pod("web", "gpu-1", "web-1");
        NodeDown usual = cycle(scene.look("power-cycle")).kubernetes().orElseThrow();

        assertThat(usual.leaves()).extracting(p -> p.place()).containsExactly("shop/web");
        assertThat(usual.stops()).extracting(p -> p.place()).containsExactly("shop/lonely");
        assertThat(scene.look("power-cycle").notes()).anyMatch(n -> n.startsWith("1 pod of gpu-1 would lose something by leaving"));
        assertThat(scene.look("power-cycle").questions()).filteredOn(q -> q.key().equals("drain")).singleElement()
                .satisfies(q -> assertThat(q.chosen()).isEqualTo("keep"));
        assertThat(cycle(scene.choose("drain", "evict").look("power-cycle")).kubernetes().orElseThrow().losing()).hasSize(1);
        NodeDown skipped = cycle(scene.choose("drain", "skip").look("power-cycle")).kubernetes().orElseThrow();
        assertThat(skipped.drain()).isEmpty();
        assertThat(skipped.stops()).extracting(p -> p.place()).containsExactly("shop/lonely", "shop/web");
    }

    @Test
    void whereNobodyCouldTakeThemPodsStopWithTheVm() {
        Answer answer = attached().joins("cp", "x", List.of("node-role.kubernetes.io/control-plane"), CONTROL_PLANE)
                .pod("lonely", "gpu-1", "").look("power-cycle");

        assertThat(answer.state()).isEqualTo(State.READY);
        assertThat(cycle(answer).summary()).isEqualTo("gpu-worker-1: 1 pod stops and starts with it");
        assertThat(answer.notes()).anyMatch(n -> n.startsWith("No other node can take the pod of gpu-1"));
    }

    @Test
    void whereTheClusterIsSilentThePersonIsAskedBeforeAnythingGoesDown() {
        Scene scene = attached();
        scene.clusterSilent = Optional.of(new Trouble(Trouble.Kind.CONNECT, "lab", "connection refused", "See."));
        Answer answer = scene.look("power-cycle");

        assertThat(answer.state()).isEqualTo(State.WAITING);
        assertThat(answer.why()).contains("cluster lab does not show which pods stop with gpu-1", "drain=skip");
        assertThat(answer.questions()).filteredOn(q -> q.key().equals("drain")).singleElement()
                .satisfies(q -> assertThat(q.chosen()).isEmpty());
        assertThat(answer.coming()).isPresent();
        assertThat(scene.choose("drain", "skip").look("power-cycle").state()).isEqualTo(State.READY);
    }

    @Test
    void aVmThatIsNoNodeIsPowerCycledAsItIs() {
        Scene scene = attached();
        scene.set("smbios1", "uuid=99999999-2222-3333-4444-555555555555");

        assertThat(cycle(scene.look("power-cycle")).kubernetes()).isEmpty();
    }
}
