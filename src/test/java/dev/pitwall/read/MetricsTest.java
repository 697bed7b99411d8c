package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

/** DCGM's figures, from the exporter and from Prometheus. */
class MetricsTest {

    @Test
    void aBusyGpuHasItsFiguresAndItsPod() {
        JsonNode gpu = only("dcgm/dcgm-sample-4.5.3-busy.prom");
        assertThat(gpu.path("node").asText()).isEqualTo("rke2-worker-dc1-gpu-a");
        assertThat(gpu.path("uuid").asText()).isEqualTo("GPU-00000001-0000-0000-0000-000000000001");
        assertThat(gpu.path("memoryUsedMiB").asInt()).isEqualTo(5393);
        assertThat(gpu.path("memoryTotalMiB").asInt()).as("used + free + reserved").isEqualTo(8188);
        assertThat(gpu.path("utilizationPercent").asInt()).isEqualTo(98);
        assertThat(gpu.path("powerW").asDouble()).isEqualTo(46.812);
        assertThat(gpu.path("lastXid").asInt(-1)).isZero();
        assertThat(gpu.path("workloads").get(0).asText()).isEqualTo("llm/ollama-7d9c5b6f4-x2x7p");
        assertThat(gpu.path("driverVersion").asText()).isEqualTo("580.126.20");
    }

    @Test
    void anIdleGpuHasNoWorkloadAndKeepsItsLastXid() {
        JsonNode gpu = only("dcgm/dcgm-sample-main-idle-last-xid79.prom");
        assertThat(gpu.path("node").asText()).as("the label is lower case since d5e5f51").isEqualTo("rke2-worker-dc1-gpu-a");
        assertThat(gpu.path("workloads")).isEmpty();
        assertThat(gpu.path("lastXid").asInt()).isEqualTo(79);
        assertThat(gpu.path("utilizationPercent").asInt(-1)).isZero();
    }

    @Test
    void withTimeSlicingTheDeviceCountsAndPodsAreNeverAdded() {
        JsonNode gpu = only("dcgm/dcgm-sample-4.5.3-time-slicing-virtual-gpus.prom");
        assertThat(gpu.path("utilizationPercent").asInt()).isEqualTo(71);
        assertThat(gpu.path("memoryUsedMiB").asInt()).isEqualTo(3902);
        assertThat(gpu.path("temperatureC").asInt()).isEqualTo(66);
        assertThat(gpu.path("memoryTotalMiB").isNull()).as("free and reserved are not there").isTrue();
        assertThat(gpu.path("workloads")).extracting(JsonNode::asText).containsExactly("alice/nb-alice-0", "bob/nb-bob-0");
    }

    @Test
    void blankValuesOfOldExportersAreMissing() {
        String labels = "{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"n\"} ";
        JsonNode gpu = Samples.read("DCGM_FI_DEV_GPU_TEMP" + labels + "9223372036854775794\nDCGM_FI_DEV_POWER_USAGE" + labels
                + "NaN\nDCGM_FI_DEV_GPU_UTIL" + labels + "5\n").path("gpus").get(0);
        assertThat(gpu.path("temperatureC").isNull()).isTrue();
        assertThat(gpu.path("powerW").isNull()).isTrue();
        assertThat(gpu.path("utilizationPercent").asInt()).isEqualTo(5);
    }

    @Test
    void prometheusNamesTheWorkloadByTheExportedLabels() {
        JsonNode document = Samples.read(Samples.text("cluster/prometheus-query-sample.json"));
        assertThat(document.path("kind").asText()).isEqualTo("prometheus-query");
        JsonNode gpu = document.path("gpus").get(0);
        assertThat(gpu.path("utilizationPercent").asInt()).isEqualTo(98);
        assertThat(gpu.path("workloads").get(0).asText()).isEqualTo("llm/ollama-7d9c5b6f4-x2x7p");
        assertThat(document.path("samples").get(0).path("timestampMs").asLong()).isEqualTo(1_787_300_000_123L);
    }

    @Test
    void withoutExportedLabelsThePodOfTheExporterIsNoWorkload() {
        List<MetricSample> samples = List.of(new MetricsText().parse("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\","
                + "pod=\"nvidia-dcgm-exporter-5tq2r\",namespace=\"gpu-operator\"} 0").orElseThrow());
        assertThat(new DcgmSeries().devices(samples)).singleElement()
                .satisfies(d -> assertThat(d.sample(Instant.EPOCH).workload()).isEmpty());
    }

    @Test
    void labelsWithEscapesAndTimestampsAreRead() {
        MetricSample sample = new MetricsText().parse("up{path=\"C:\\\\a\\\"b\\n\", job = \"x\",} -1.5e3 1787300000123").orElseThrow();
        assertThat(sample.labels()).containsEntry("path", "C:\\a\"b\n").containsEntry("job", "x");
        assertThat(sample.value()).isEqualTo(-1500);
        assertThat(sample.timestampMs()).isEqualTo(OptionalLong.of(1_787_300_000_123L));
    }

    @Test
    void aSampleThatIsCutIsNamedAndLeftOut() {
        List<String> notes = new ArrayList<>();
        List<MetricSample> samples = new MetricsText().parse(Text.of("a 1\nb{x=\"y\nc 12", Text.Ending.MAYBE_CUT), notes::add);
        assertThat(samples).extracting(MetricSample::name).containsExactly("a");
        assertThat(notes).hasSize(2).allMatch(n -> n.startsWith("line 2") || n.startsWith("line 3"));
    }

    private static JsonNode only(String sample) {
        JsonNode document = Samples.read(Samples.text(sample));
        assertThat(document.path("kind").asText()).isEqualTo("dcgm-metrics");
        assertThat(document.path("gpus")).hasSize(1);
        return document.path("gpus").get(0);
    }
}
