package dev.pitwall.link.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;

class GpuRequestsTest {
    private static Map<String, Long> count(String spec) {
        return GpuRequests.of(TestApi.object(spec.replace("GPU", "nvidia.com/gpu")));
    }

    @Test
    void containersAddUp() {
        assertThat(count("""
                {"containers":[{"resources":{"limits":{"GPU":"1"}}},
                 {"resources":{"requests":{"GPU":2},"limits":{"GPU":2}}},
                 {"resources":{"limits":{"cpu":"4"}}},{}]}""")).isEqualTo(Map.of("nvidia.com/gpu", 3L));
    }

    @Test
    void theLargestInitContainerCountsIfItIsLarger() {
        assertThat(count("""
                {"initContainers":[{"resources":{"limits":{"GPU":"2"}}},{"resources":{"limits":{"GPU":"4"}}}],
                 "containers":[{"resources":{"limits":{"GPU":"1"}}}]}""")).isEqualTo(Map.of("nvidia.com/gpu", 4L));
    }

    @Test
    void aRestartableInitContainerStaysAndCountsOnBothSides() {
        assertThat(count("""
                {"initContainers":[{"restartPolicy":"Always","resources":{"limits":{"GPU":"1"}}},
                 {"resources":{"limits":{"GPU":"3"}}},{"restartPolicy":"Always","resources":{"limits":{"GPU":"1"}}}],
                 "containers":[{"resources":{"limits":{"GPU":"1"}}}]}""")).isEqualTo(Map.of("nvidia.com/gpu", 4L));
        assertThat(count("""
                {"initContainers":[{"restartPolicy":"Always","resources":{"limits":{"GPU":"1"}}}],
                 "containers":[{"resources":{"limits":{"GPU":"2"}}}]}""")).isEqualTo(Map.of("nvidia.com/gpu", 3L));
    }

    @Test
    void everyNameIsCountedForItselfAndQuantitiesAreParsed() {
        assertThat(count("""
                {"containers":[{"resources":{"limits":{"nvidia.com/gpu.shared":"1k","nvidia.com/mig-1g.5gb":1,
                 "GPU":"0","amd.com/gpu":"1"}}}]}""")).isEqualTo(Map.of("nvidia.com/gpu.shared", 1000L,
                "nvidia.com/mig-1g.5gb", 1L));
    }

    @Test
    void noContainersHoldNothing() {
        assertThat(count("{}")).isEmpty();
    }
}
