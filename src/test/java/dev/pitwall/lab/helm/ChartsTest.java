package dev.pitwall.lab.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartsTest {
    private static final YAMLMapper YAML = new YAMLMapper();

    @TempDir
    Path dir;
    private final Charts charts = Charts.load();

    @Test
    void listOfFilesIsAllThatTheChartsFolderHolds() throws IOException {
        Path root = Path.of("resources/lab/charts");
        JsonNode index = YAML.readTree(root.resolve("charts.yaml").toFile());
        List<String> listed = new ArrayList<>(List.of("charts.yaml"));
        index.path("layers").properties().forEach(layer -> layer.getValue()
                .forEach(file -> listed.add(layer.getKey() + "/" + file.asText())));
        listed.removeIf(file -> file.contains(" < "));
        try (Stream<Path> files = Files.walk(root)) {
            assertThat(files.filter(Files::isRegularFile).map(file -> root.relativize(file).toString()))
                    .containsExactlyInAnyOrderElementsOf(listed);
        }
    }

    @Test
    void everyChartRendersWithItsDefaults() throws IOException {
        RealHelm.require();
        for (Chart chart : charts.all()) {
            assertThat(render(chart, c -> c)).as(chart.archiveName()).isNotEmpty();
        }
    }

    @Test
    void operatorChartMapsItsValuesToTheClusterPolicy() throws IOException {
        RealHelm.require();
        List<JsonNode> objects = render(chart("gpu-operator", "v26.7.0"), c -> c.set("driver.version", "580.173.02")
                .set("driver.kernelModuleType", "proprietary").set("devicePlugin.config.name", "sharing")
                .set("devicePlugin.config.default", "all").set("toolkit.enabled", "false"));
        JsonNode policy = only(objects, "ClusterPolicy", "cluster-policy").path("spec");
        assertThat(policy.at("/driver/version").asText()).isEqualTo("580.173.02");
        assertThat(policy.at("/driver/kernelModuleType").asText()).isEqualTo("proprietary");
        assertThat(policy.at("/driver/upgradePolicy/podDeletion/timeoutSeconds").asInt()).isEqualTo(300);
        assertThat(policy.at("/devicePlugin/config/name").asText()).isEqualTo("sharing");
        assertThat(policy.at("/toolkit/enabled").asBoolean(true)).isFalse();
        assertThat(policy.at("/validator/version").asText()).isEqualTo("v26.7.0");
        assertThat(policy.at("/daemonsets/tolerations/0/operator").asText()).isEqualTo("Exists");
        assertThat(only(objects, "DaemonSet", "x-node-feature-discovery-worker").at("/spec/template/spec/tolerations")
                .toString()).contains("nvidia.com/gpu");
    }

    @Test
    void operatorChartBringsItsOwnNodeFeatureDiscoveryOnlyIfAsked() throws IOException {
        RealHelm.require();
        assertThat(render(chart("gpu-operator", "v26.3.3"), c -> c.set("nfd.enabled", "false")))
                .noneMatch(object -> object.path("kind").asText().equals("DaemonSet"));
    }

    @Test
    void operatorChartRefusesValuesThatContradictEachOther() {
        RealHelm.require();
        Chart chart = chart("gpu-operator", "v26.7.0");
        for (Map.Entry<List<String>, String> wrong : Map.of(
                List.of("gpuCluster.deployCR=true"), "exclude each other",
                List.of("cdi.nriPluginEnabled=true", "cdi.enabled=false"), "NRI Plugin cannot be enabled when CDI",
                List.of("cdi.nriPluginEnabled=true", "toolkit.enabled=false"), "NRI Plugin cannot be enabled when the",
                List.of("devicePlugin.config.create=true"), "devicePlugin.config.name",
                List.of("gpuCluster.deployCR=true", "clusterPolicy.deployCR=false"), "nvidiaDriverCRD").entrySet()) {
            assertThatThrownBy(() -> render(chart, c -> set(c, wrong.getKey()))).hasMessageContaining(wrong.getValue());
        }
    }

    @Test
    void ollamaChartAsksForACardAndToleratesItsTaint() throws IOException {
        RealHelm.require();
        List<JsonNode> objects = render(chart("ollama", "1.77.0"), c -> c.set("ollama.gpu.enabled", "true")
                .set("ollama.gpu.nvidiaResource", "nvidia.com/gpu.shared").set("persistentVolume.enabled", "true"));
        JsonNode pod = only(objects, "Deployment", "x-ollama").at("/spec/template/spec");
        assertThat(pod.at("/containers/0/image").asText()).isEqualTo("ollama/ollama:0.32.15");
        assertThat(pod.at("/containers/0/resources/limits").path("nvidia.com/gpu.shared").asInt()).isEqualTo(1);
        assertThat(pod.at("/tolerations/0/key").asText()).isEqualTo("nvidia.com/gpu.shared");
        assertThat(pod.at("/volumes/0/persistentVolumeClaim/claimName").asText()).isEqualTo("x-ollama");
        assertThat(only(objects, "PersistentVolumeClaim", "x-ollama").at("/spec/resources/requests/storage").asText())
                .isEqualTo("30Gi");
        assertThat(only(objects, "Deployment", "x-ollama").at("/spec/strategy/type").asText()).isEqualTo("Recreate");
    }

    @Test
    void ollamaChartWithoutResourcesLosesTheCard() throws IOException {
        RealHelm.require();
        JsonNode values = YAML.readTree("{ollama: {gpu: {enabled: true}}, resources: null}");
        Path file = RealHelm.values(values, dir);
        List<JsonNode> objects = render(chart("ollama", "1.77.0"), c -> c.withValuesFile(file));
        assertThat(only(objects, "Deployment", "x-ollama").at("/spec/template/spec/containers/0").has("resources"))
                .isFalse();
    }

    @Test
    void pluginChartToleratesOnlyThePresentValueWithItsNodeFeatureDiscovery() throws IOException {
        RealHelm.require();
        List<JsonNode> objects = render(chart("nvidia-device-plugin", "0.20.0"), c -> c.set("gfd.enabled", "true"));
        assertThat(only(objects, "DaemonSet", "x-nvidia-device-plugin").at("/spec/template/spec/affinity").toString())
                .contains("feature.node.kubernetes.io/pci-10de.present");
        assertThat(only(objects, "DaemonSet", "x-node-feature-discovery-worker").at("/spec/template/spec/tolerations")
                .toString()).contains("\"present\"");
    }

    private Chart chart(String name, String version) {
        return charts.find(name, version).orElseThrow();
    }

    private List<JsonNode> render(Chart chart, UnaryOperator<TemplateCommand> with) throws IOException {
        String text = with.apply(new Helm(RealHelm.unpack(chart, dir)).template().withName("x").withNamespace("y"))
                .call();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            return documents.readAll().stream().filter(JsonNode::isObject).toList();
        }
    }

    private static TemplateCommand set(TemplateCommand command, List<String> settings) {
        settings.forEach(setting -> command.set(setting.split("=")[0], setting.split("=")[1]));
        return command;
    }

    private static JsonNode only(List<JsonNode> objects, String kind, String name) {
        return objects.stream().filter(object -> object.path("kind").asText().equals(kind)
                && object.at("/metadata/name").asText().equals(name)).findFirst().orElseThrow(
                        () -> new AssertionError("no " + kind + " " + name));
    }
}
