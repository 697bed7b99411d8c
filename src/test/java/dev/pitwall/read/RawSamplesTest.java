package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/** Every real output in the folder is recognised, and the values that matter in it are pinned. */
class RawSamplesTest {

    private static final Map<String, Consumer<JsonNode>> PINS = Map.ofEntries(
            entry("containerd-config-k0s-broken.toml", d -> {
                kind(d, "containerd-config");
                JsonNode runtime = d.path("runtime");
                assertThat(runtime.path("version").asInt()).isEqualTo(2);
                assertThat(runtime.path("criDisabled").asBoolean()).isTrue();
                assertThat(runtime.path("defaultRuntime").asText()).isEqualTo("nvidia");
                assertThat(runtime.path("runtimes")).singleElement().satisfies(r -> {
                    assertThat(r.path("name").asText()).isEqualTo("nvidia");
                    assertThat(r.path("binary").isNull()).isTrue();
                });
                assertThat(runtime.path("cdiEnabled").isNull()).isTrue();
                assertThat(runtime.path("address").asText()).isEqualTo("/run/containerd/containerd.sock");
            }),
            entry("dcgm-exporter-startup-4.2.3.txt", d -> {
                kind(d, "dcgm-exporter-log");
                assertThat(d.path("version").asText()).isEqualTo("4.2.3-4.1.3");
                assertThat(d.path("dcgmReady").asBoolean()).isTrue();
                assertThat(d.path("listening").isNull()).isTrue();
                assertThat(d.path("longestWaitSeconds").asDouble()).isEqualTo(28.545);
                assertThat(d.path("longestStep").asText()).isEqualTo("Initializing system entities of type 'GPU'");
                assertThat(d.path("steps")).hasSize(13);
            }),
            entry("describe-node-g5-xlarge.txt", d -> {
                kind(d, "describe-node");
                JsonNode node = only(d, "nodes");
                assertThat(node.path("name").asText()).isEqualTo("node-1");
                assertThat(node.path("labels")).hasSize(16);
                assertThat(node.path("labels").path("beta.kubernetes.io/instance-type").asText()).isEqualTo("g5.xlarge");
                assertThat(node.path("capacity").isNull()).isTrue();
                assertThat(node.path("taints").isNull()).isTrue();
            }),
            entry("describe-node-labels-h100.txt", d -> {
                kind(d, "describe-node");
                JsonNode node = only(d, "nodes");
                assertThat(node.path("name").isNull()).isTrue();
                assertThat(node.path("labels")).hasSize(18);
                assertThat(node.path("labels").path("nvidia.com/gpu.memory").asText()).isEqualTo("81559");
                assertThat(node.path("labels").path("nvidia.com/gpu.product").asText()).isEqualTo("NVIDIA-H100-80GB-HBM3");
            }),
            entry("dmesg-pci-bars-rtx5070-dom0.txt", d -> {
                kind(d, "dmesg");
                assertThat(d.path("iommu").path("state").asText()).isEqualTo("unknown");
                assertThat(d.path("bars")).hasSize(8);
                JsonNode bar1 = d.path("bars").get(1);
                assertThat(bar1.path("name").asText()).isEqualTo("BAR 1");
                assertThat(bar1.path("address").asText()).isEqualTo("0000:01:00.0");
                assertThat(bar1.path("bytes").asLong()).isEqualTo(16L << 30);
                assertThat(bar1.path("start").asText()).isEqualTo("0xf800000000");
                assertThat(bar1.path("wide").asBoolean()).isTrue();
            }),
            entry("iommu-groups-9series-gtx760.txt", d -> {
                kind(d, "iommu-groups");
                assertThat(d.path("groups")).extracting(g -> g.path("group").asInt()).containsExactly(7, 5, 13, 3, 11, 1);
                JsonNode last = d.path("groups").get(5).path("devices");
                assertThat(last).hasSize(3);
                assertThat(last.get(1).path("vendorDevice").asText()).isEqualTo("10de:1187");
                assertThat(last.get(2).path("address").asText()).isEqualTo("0000:01:00.1");
                assertThat(last.get(2).path("class").asText()).isEqualTo("0403");
                assertThat(last.get(2).path("vendorDevice").isNull()).isTrue();
                assertThat(last.get(2).path("name").isNull()).isTrue();
                assertThat(d.path("notes")).extracting(JsonNode::asText).anyMatch(n -> n.startsWith("line 14: "));
            }),
            entry("iommu-groups-skylake-gtx1660.txt", d -> {
                kind(d, "iommu-groups");
                assertThat(d.path("groups")).extracting(g -> g.path("group").asInt()).containsExactly(0, 1, 2);
                JsonNode devices = d.path("groups").get(2).path("devices");
                assertThat(devices).extracting(v -> v.path("vendorDevice").asText())
                        .containsExactly("8086:1901", "10de:2184", "10de:1aeb", "10de:1aec", "10de:1aed");
                assertThat(devices.get(0).path("class").asText()).isEqualTo("0604");
                assertThat(devices.get(1).path("name").asText()).isEqualTo("NVIDIA Corporation TU116 [GeForce GTX 1660]");
                assertThat(d.path("notes")).isEmpty();
            }),
            entry("lspci-nnk-nvidia-still-bound.txt", d -> {
                kind(d, "lspci");
                assertThat(d.path("devices")).extracting(v -> v.path("address").asText())
                        .containsExactly("0000:01:00.0", "0000:01:00.1", "0000:3e:00.0", "0000:3e:00.1");
                assertThat(d.path("devices")).extracting(v -> v.path("driver").asText())
                        .containsExactly("nvidia", "snd_hda_intel", "nvidia", "snd_hda_intel");
                assertThat(d.path("devices").get(2).path("subsystem").asText()).isEqualTo("1458:404b");
                assertThat(d.path("devices").get(2).path("modules")).extracting(JsonNode::asText)
                        .containsExactly("nouveau", "nvidia_drm", "nvidia");
                assertThat(d.path("devices").get(0).path("class").asText()).isEqualTo("0300");
            }),
            entry("lspci-nnk-two-identical-t400.txt", d -> {
                kind(d, "lspci");
                assertThat(d.path("devices")).extracting(v -> v.path("driver").asText())
                        .containsExactly("ast", "vfio-pci", "nvidia");
                assertThat(d.path("devices").get(0).path("modules").isNull()).isTrue();
                assertThat(d.path("devices").get(1).path("vendorDevice").asText()).isEqualTo("10de:1ff2");
                assertThat(d.path("devices").get(1).path("subsystem").asText()).isEqualTo("17aa:1613");
                assertThat(d.path("devices").get(2).path("modules")).hasSize(3);
            }),
            entry("node-capacity-fragment.json", d -> {
                kind(d, "nodes");
                JsonNode node = only(d, "nodes");
                assertThat(node.path("capacity").path("nvidia.com/gpu").asInt()).isEqualTo(1);
                assertThat(node.path("capacity").path("memory").asText()).isEqualTo("16312140Ki");
                assertThat(node.path("allocatable").isNull()).isTrue();
                assertThat(node.path("name").isNull()).isTrue();
            }),
            entry("nvidia-smi-q-a100-passthrough.txt", d -> {
                kind(d, "nvidia-smi");
                JsonNode gpu = only(d, "gpus");
                assertThat(gpu.path("uuid").asText()).isEqualTo("GPU-072b19bd-4ccf-63cf-6435-cf462aff833d");
                assertThat(gpu.path("virtualization").asText()).isEqualTo("Pass-Through");
                assertThat(gpu.path("minor").asInt()).isEqualTo(5);
                assertThat(gpu.path("memoryTotalMiB").isNull()).isTrue();
                assertThat(gpu.path("index").isNull()).isTrue();
            }),
            entry("nvidia-smi-q-passthrough-v100.txt", d -> {
                kind(d, "nvidia-smi");
                JsonNode gpu = only(d, "gpus");
                assertThat(gpu.path("busId").asText()).isEqualTo("0000:00:0c.0");
                assertThat(gpu.path("virtualization").asText()).isEqualTo("Pass-Through");
                assertThat(gpu.path("uuid").isNull()).isTrue();
            }),
            entry("nvidia-smi-table-a40.txt", d -> {
                kind(d, "nvidia-smi");
                assertThat(d.path("driverVersion").asText()).isEqualTo("525.125.06");
                assertThat(d.path("cudaVersion").asText()).isEqualTo("12.0");
                assertThat(d.path("gpus")).hasSize(3);
                JsonNode second = d.path("gpus").get(1);
                assertThat(second.path("name").asText()).isEqualTo("NVIDIA A40");
                assertThat(second.path("busId").asText()).isEqualTo("0000:1a:00.0");
                assertThat(second.path("memoryTotalMiB").asInt()).isEqualTo(46068);
                assertThat(second.path("memoryUsedMiB").isInt() || second.path("memoryUsedMiB").isLong()).isTrue();
                assertThat(second.path("powerW").asInt()).isEqualTo(20);
                JsonNode cut = d.path("gpus").get(2);
                assertThat(cut.path("temperatureC").asInt()).isEqualTo(27);
                assertThat(cut.path("memoryTotalMiB").isNull()).isTrue();
                assertThat(cut.path("memoryUsedMiB").isNull()).isTrue();
                assertThat(cut.path("utilizationPercent").isNull()).isTrue();
            }),
            entry("ollama-api-ps-gemma3.json", d -> {
                kind(d, "ollama");
                assertThat(d.path("call").asText()).isEqualTo("ps");
                JsonNode model = only(d, "models");
                assertThat(model.path("name").asText()).isEqualTo("gemma3:latest");
                assertThat(model.path("sizeBytes").asLong()).isEqualTo(5_964_735_424L);
                assertThat(model.path("vramBytes").asLong()).isEqualTo(5_964_735_424L);
                assertThat(model.path("expiresAt").asText()).isEqualTo("2025-08-07T22:07:26.817827822Z");
                assertThat(model.path("contextTokens").isNull()).isTrue();
            }),
            entry("time-slicing-values-and-configmap.yaml", d -> {
                kind(d, "helm-values");
                assertThat(d.path("chart").asText()).isEqualTo("gpu-operator");
                assertThat(d.path("prefix").asText()).isEqualTo("gpu-operator");
                assertThat(d.path("settings").path("driver.version").asText()).isEqualTo("470.129.06");
                JsonNode sharing = only(d, "sharing");
                assertThat(sharing.path("namespace").asText()).isEqualTo("kube-system");
                JsonNode section = only(sharing, "sections");
                assertThat(section.path("name").asText()).isEqualTo("slice-4");
                assertThat(section.path("strategy").asText()).isEqualTo("time-slicing");
                assertThat(section.path("renameByDefault").asBoolean()).isTrue();
                assertThat(section.path("resources").get(0).path("replicas").asInt()).isEqualTo(4);
            }));

    @TestFactory
    Stream<DynamicTest> everyRealOutputIsUnderstood() {
        return Samples.in("raw").stream().map(name -> DynamicTest.dynamicTest(name, () -> {
            Consumer<JsonNode> pin = PINS.get(name.substring("raw/".length()));
            assertThat(pin).as("a pin for " + name).isNotNull();
            pin.accept(Samples.read(Samples.text(name), Text.Ending.MAYBE_CUT));
        }));
    }

    @TestFactory
    List<DynamicTest> everyPinHasItsFile() {
        return PINS.keySet().stream().map(name -> DynamicTest.dynamicTest(name,
                () -> assertThat(Samples.in("raw")).contains("raw/" + name))).toList();
    }

    private static void kind(JsonNode document, String kind) {
        assertThat(document.path("kind").asText()).isEqualTo(kind);
    }

    private static JsonNode only(JsonNode document, String list) {
        assertThat(document.path(list)).hasSize(1);
        return document.path(list).get(0);
    }
}
