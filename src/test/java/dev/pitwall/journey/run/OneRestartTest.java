package dev.pitwall.journey.run;

import dev.pitwall.card.Floor;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.Targets;
import dev.pitwall.journey.change.VmPowerCycle;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;

/** What starts a VM anew starts the system in it anew too: one of the two is enough. */
class OneRestartTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Change NODE = new NodeReboot("gpu-1", "pve1/122", Optional.empty(), List.of(), LONG, LONG);
    private static final Change CYCLE = new VmPowerCycle("pve1", 122, "gpu-1", LONG, LONG);
    private static final Change OTHER = new VmPowerCycle("pve1", 123, "gpu-2", LONG, LONG);

    private static HostReboot host(boolean onboot) {
        return new HostReboot("pve1", List.of(new HostReboot.Guest(122, "gpu-1", onboot)), LONG, LONG);
    }

    private static List<Change> once(Change... changes) {
        return Targets.once(List.of(changes), Function.identity());
    }

    @Test
    void aNodeIsNotRebootedBeforeItsVmIsPowerCycledOrStopsAndStartsWithItsHost() {
        assertThat(once(NODE, CYCLE)).containsExactly(CYCLE);
        assertThat(once(NODE, host(true))).containsExactly(host(true));
        assertThat(once(NODE, OTHER)).containsExactly(NODE, OTHER);
        assertThat(once(NODE, host(false))).containsExactly(NODE, host(false));
    }

    @Test
    void aBatchThatWouldEndInBothPowerCyclesOnceAtTheEnd() {
        Batch batch = Batch.of(List.of(step("power-cycle", CYCLE), step("driver", NODE)));

        assertThat(batch.changes()).extracting(i -> i.step() + " " + i.change().target())
                .containsExactly("power-cycle Power-cycle VM 122");
        assertThat(Batch.of(List.of(step("power-cycle", OTHER), step("driver", NODE))).changes()).hasSize(2);
    }

    private static Planned step(String id, Change change) {
        return new Planned(id, Floor.VM, StepTexts.load().of(id), Answer.ready("", List.of(), List.of(change)));
    }
}
