package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.lab.helm.Chart;
import dev.pitwall.lab.helm.Charts;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the hooks of the operator's chart run: {@code upgrade-crd} brings the definitions of the image's version into the
 * cluster before an upgrade, since Helm itself never changes them, and {@code cleanup-crd} takes them away.
 */
final class DefinitionsHook implements Program {
    private static final Pattern FILE = Pattern.compile("/opt/gpu-operator/([\\w.-]+\\.yaml)");
    /** The file of the image that holds NFD's definitions. */
    private static final String DISCOVERY = "nfd-api-crds.yaml";
    private static final String DISCOVERY_PLACE = "charts/node-feature-discovery/crds/";

    /** What to do with the definitions. */
    enum Task { APPLY, DELETE }

    private final ClusterHand hand;
    private final Charts charts;
    private final AgentTexts texts;
    private final Task task;

    DefinitionsHook(ClusterHand hand, Charts charts, AgentTexts texts, Task task) {
        this.hand = hand;
        this.charts = charts;
        this.texts = texts;
        this.task = task;
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant end = run.startedAt().plusSeconds(texts.seconds("crdsApplied"));
        if (now.isBefore(end)) {
            return new Doing.Goes(true, end);
        }
        Optional<Chart> chart = charts.find("gpu-operator", ServerPod.tag(run));
        if (chart.isEmpty()) {
            return new Doing.Ended(1, "", end);
        }
        definitions(chart.get(), run).forEach(this::carryOut);
        return new Doing.Ended(0, "", end);
    }

    private void carryOut(ObjectNode definition) {
        ObjectKey key = new ObjectKey(Resource.DEFINITIONS, "", definition.at("/metadata/name").asText());
        switch (task) {
            case DELETE -> hand.delete(key, 0);
            case APPLY -> {
                if (hand.find(key).isEmpty()) {
                    hand.create(key, definition);
                } else {
                    hand.change(key, object -> object.set("spec", definition.path("spec")));
                }
            }
        }
    }

    /** Those of the files that the command names: the operator's own, and NFD's if the chart brought NFD. */
    private static List<ObjectNode> definitions(Chart chart, Run run) {
        List<ObjectNode> all = new ArrayList<>();
        Matcher named = FILE.matcher(run.container().path("args").toString());
        while (named.find()) {
            String place = named.group(1).equals(DISCOVERY) ? DISCOVERY_PLACE : "crds/" + named.group(1);
            chart.files().forEach((path, content) -> {
                if (path.startsWith(place)) {
                    all.addAll(documents(content));
                }
            });
        }
        return all;
    }

    private static List<ObjectNode> documents(byte[] yaml) {
        List<ObjectNode> found = new ArrayList<>();
        try (var documents = new YAMLMapper().readerFor(JsonNode.class)
                .<JsonNode>readValues(new String(yaml, StandardCharsets.UTF_8))) {
            while (documents.hasNext()) {
                if (documents.next() instanceof ObjectNode object) {
                    found.add(object);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a definition of a chart is no YAML", e);
        }
        return found;
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        Instant end = run.startedAt().plusSeconds(texts.seconds("crdsApplied"));
        if (until.isBefore(end)) {
            return List.of();
        }
        String done = switch (task) {
            case APPLY -> " configured";
            case DELETE -> " deleted";
        };
        return charts.find("gpu-operator", ServerPod.tag(run)).stream().flatMap(chart -> definitions(chart, run).stream())
                .map(definition -> new LogSource.Line(end, "customresourcedefinition.apiextensions.k8s.io/"
                        + definition.at("/metadata/name").asText() + done)).toList();
    }

    @Override
    public boolean followsWorld() {
        return false;
    }

    /** The hook of a container by its name. */
    static Optional<Task> task(String container) {
        return Optional.ofNullable(Map.of("upgrade-crd", Task.APPLY, "cleanup-crd", Task.DELETE).get(container));
    }
}
