package dev.pitwall.lab.kube.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import dev.pitwall.lab.helm.Chart;
import dev.pitwall.lab.helm.Charts;
import dev.pitwall.lab.helm.RealHelm;
import dev.pitwall.lab.kube.kubelet.ImageCatalog;
import dev.pitwall.lab.kube.kubelet.NamedImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a chart installs and what its operator then deploys can be pulled, with the chart's own values. */
class OperandImagesTest {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String UBUNTU = "ubuntu24.04";

    @TempDir
    Path dir;
    private final ImageCatalog images = ImageCatalog.load();
    private final OperandList operands = OperandList.load();

    @Test
    void everyImageOfEveryChartIsThere() throws IOException {
        RealHelm.require();
        for (Chart chart : Charts.load().all()) {
            Set<String> named = new TreeSet<>();
            for (JsonNode object : render(chart)) {
                named.addAll(NamedImages.in(object));
                if (object.path("kind").asText().equals("ClusterPolicy")) {
                    named.addAll(deployed(object.path("spec"), chart.version()));
                }
            }
            assertThat(named).as(chart.archiveName()).isNotEmpty().allMatch(images::has);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v24.9.2", "v25.3.0", "v25.3.4", "v25.10.1", "v26.3.2", "v26.3.3", "v26.7.0"})
    void soIsWhatAnOperatorTakesWhereItsPolicySaysNothing(String release) {
        assertThat(deployed(YAML.createObjectNode(), release)).hasSizeGreaterThan(5).allMatch(images::has);
    }

    private Set<String> deployed(JsonNode policy, String release) {
        DaemonSetMaker maker = new DaemonSetMaker(operands, policy, release);
        Set<String> named = new TreeSet<>();
        operands.all().forEach(operand -> named.addAll(NamedImages.in(maker.make(operand, UBUNTU))));
        return named;
    }

    private List<JsonNode> render(Chart chart) throws IOException {
        TemplateCommand template = new Helm(RealHelm.unpack(chart, dir)).template().withName("x").withNamespace("y");
        String text = (chart.name().equals("nvidia-device-plugin") ? template.set("gfd.enabled", "true") : template)
                .call();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            return documents.readAll().stream().filter(JsonNode::isObject).toList();
        }
    }
}
