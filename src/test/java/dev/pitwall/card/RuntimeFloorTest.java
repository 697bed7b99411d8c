package dev.pitwall.card;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The runtime floor of a node whose system brings the runtime itself: no toolkit pod, and no shell to ask. */
class RuntimeFloorTest {

    @Test
    void aPluginThatIsGoneDoesNotMakeTheRuntimeWaitWhileOthersRunWithIt() {
        FloorStatus runtime = withoutToolkitAndPlugin("nvidia-driver-daemonset");

        assertThat(runtime.state()).isEqualTo(FloorState.OK);
        assertThat(runtime.summary()).isEqualTo("works: gpu-feature-discovery runs with it");
    }

    @Test
    void whereNothingRunsWithItTheRuntimeWaits() {
        FloorStatus runtime = withoutToolkitAndPlugin("gpu-feature-discovery", "nvidia-dcgm-exporter");

        assertThat(runtime.summary()).isEqualTo("waits for driver");
    }

    private static FloorStatus withoutToolkitAndPlugin(String... alsoWithout) {
        Facts f = Facts.healthy();
        List<String> gone = new ArrayList<>(List.of(alsoWithout));
        gone.addAll(List.of("nvidia-container-toolkit-daemonset", "nvidia-device-plugin-daemonset"));
        List<PodReport> pods = new ArrayList<>(Facts.readyOperands(Facts.NODE));
        pods.removeIf(pod -> pod.app().filter(gone::contains).isPresent());
        f.clusterIs(List.of(Facts.without(Facts.node(Facts.NODE, Facts.UUID))), pods);
        f.telemetry = Optional.empty();
        f.servers.clear();
        return f.onlyCard().floor(Floor.RUNTIME);
    }
}
