package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.NodeReport.Taint;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.NodeFacts;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

/**
 * Taints of nodes against tolerations of the GPU stack. A DaemonSet that a taint keeps off leaves no event: it just wants
 * one pod less.
 */
final class TolerationCheck implements Check {
    private static final Set<String> OPERANDS = Set.of("driver", "toolkit", "device-plugin", "gfd", "dcgm-exporter",
            "validator", "nfd-worker");
    private static final String TOLERATIONS = "/spec/template/spec/tolerations";
    private final UnaryOperator<String> component;

    TolerationCheck(UnaryOperator<String> component) {
        this.component = component;
    }

    @Override
    public void look(Picture picture, SignBook book) {
        List<Seen<NodeFacts>> nodes = Nodes.of(picture).stream().filter(n -> n.what().taints().isPresent()).toList();
        picture.objects("DaemonSet").forEach(set -> daemonSet(set, nodes, book));
        picture.objects("Deployment").forEach(deployment -> master(deployment, nodes, book));
    }

    private void daemonSet(Seen<JsonNode> set, List<Seen<NodeFacts>> nodes, SignBook book) {
        String part = component.apply(set.what().path("metadata").path("name").asText(""));
        JsonNode spec = set.what().path("spec").path("template").path("spec");
        if (!OPERANDS.contains(part) || switchedOff(spec)) {
            return;
        }
        for (Seen<NodeFacts> node : nodes) {
            if (part.equals("nfd-worker") || Nodes.hasCard(node.what())) {
                keptOff(spec, node.what()).ifPresent(taint -> add(part, taint, node, set, book));
            }
        }
    }

    /** The operator switches an operand off by a selector that no node has. */
    private static boolean switchedOff(JsonNode spec) {
        return spec.path("nodeSelector").properties().stream().anyMatch(l -> l.getValue().asText().isEmpty()
                && !l.getKey().startsWith("node-role"));
    }

    private static void add(String part, Taint taint, Seen<NodeFacts> node, Seen<JsonNode> set, SignBook book) {
        About about = Nodes.about(node).of(part);
        String says = set.what().path("metadata").path("name").asText() + " does not tolerate the taint " + written(taint)
                + " of " + Nodes.called(node.what());
        Map<String, String> values = Map.of("taint", taint.key(), "taintvalue", taint.value().orElse(""),
                "reason", taint.key().startsWith("nvidia.com/gpu") ? "gpu-taint" : "custom-taint");
        book.add(Shown.sign(part.equals("nfd-worker") ? "nfd-worker-kept-off" : "operand-kept-off", about, set.from(),
                says, values, node.shown("/spec/taints"), set.shown(TOLERATIONS)));
    }

    /** NFD's master may run on any node that takes it; it is kept off if none does. */
    private void master(Seen<JsonNode> deployment, List<Seen<NodeFacts>> nodes, SignBook book) {
        String name = deployment.what().path("metadata").path("name").asText("");
        JsonNode spec = deployment.what().path("spec").path("template").path("spec");
        boolean selects = !spec.path("nodeSelector").isEmpty()
                || spec.path("affinity").path("nodeAffinity").has("requiredDuringSchedulingIgnoredDuringExecution");
        if (!component.apply(name).equals("nfd-master") || !selects || nodes.isEmpty()) {
            return;
        }
        List<Seen<NodeFacts>> wanted = nodes.stream().filter(n -> selected(spec, n.what())).toList();
        if (!wanted.isEmpty() && wanted.stream().allMatch(n -> keptOff(spec, n.what()).isPresent())) {
            Taint taint = keptOff(spec, wanted.getFirst().what()).orElseThrow();
            book.add(Shown.sign("nfd-master-kept-off", About.NOTHING.of("nfd-master"), deployment.from(),
                    name + " may run on " + wanted.size() + " nodes and tolerates the taint of none, " + written(taint),
                    Map.of("taint", taint.key()), wanted.getFirst().shown("/spec/taints"),
                    deployment.shown("/spec/template/spec/nodeSelector", TOLERATIONS)));
        }
    }

    private static boolean selected(JsonNode spec, NodeFacts node) {
        Map<String, String> labels = node.labels().orElse(Map.of());
        return spec.path("nodeSelector").properties().stream()
                .allMatch(l -> l.getValue().asText().equals(labels.get(l.getKey())));
    }

    private static Optional<Taint> keptOff(JsonNode spec, NodeFacts node) {
        return node.taints().orElse(List.of()).stream()
                .filter(taint -> taint.effect().equals("NoSchedule") || taint.effect().equals("NoExecute"))
                .filter(taint -> !taint.key().startsWith("node.kubernetes.io/"))
                .filter(taint -> !taint.key().startsWith("node-role.kubernetes.io/") || spec.has("nodeSelector"))
                .filter(taint -> StreamSupport.stream(spec.path("tolerations").spliterator(), false)
                        .noneMatch(toleration -> tolerates(toleration, taint))).findFirst();
    }

    /** As in the scheduler: an empty key with Exists tolerates everything, an empty effect any effect. */
    private static boolean tolerates(JsonNode toleration, Taint taint) {
        String key = toleration.path("key").asText("");
        String effect = toleration.path("effect").asText("");
        boolean exists = toleration.path("operator").asText("Equal").equals("Exists");
        boolean sameValue = toleration.path("value").asText("").equals(taint.value().orElse(""));
        return (key.isEmpty() ? exists : key.equals(taint.key())) && (exists || sameValue)
                && (effect.isEmpty() || effect.equals(taint.effect()));
    }

    private static String written(Taint taint) {
        return taint.key() + taint.value().map(v -> "=" + v).orElse("") + ":" + taint.effect();
    }
}
