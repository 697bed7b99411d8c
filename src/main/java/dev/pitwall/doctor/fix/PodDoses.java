package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.survey.NodePods;
import dev.pitwall.journey.change.Risk;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Doses that end pods, or are about what pods hold. */
final class PodDoses {
    private static final Duration TAKES = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration SETTLED = Duration.ofMinutes(2);
    /** What a notebook's controller looks at (facts: cluster.md 8). */
    private static final String STOPPED = "kubeflow-resource-stopped";

    private final Patient patient;

    PodDoses(Patient patient) {
        this.patient = patient;
    }

    /** Pods that nobody would make again are left alone. */
    List<Change> restart(JsonNode what) throws TroubleException, InterruptedException {
        Set<String> apps = new TreeSet<>(what.path("apps").valueStream().map(JsonNode::asText).toList());
        Set<String> namespaces = patient.namespaces();
        return restarting(patient.pods().stream().filter(pod -> namespaces.contains(pod.at("/metadata/namespace").asText())
                && Stream.of("app", "app.kubernetes.io/name").anyMatch(label ->
                        apps.contains(pod.at("/metadata/labels").path(label).asText()))).toList(),
                "so that they begin anew");
    }

    /** The driver is not unloaded while a pod of somebody's holds a card (facts: cluster.md 1.6). */
    List<Change> restartHolders() throws TroubleException, InterruptedException {
        return restarting(patient.pods().stream().filter(pod -> !pod.at("/spec/nodeName").asText("").isEmpty()
                && !pod.at("/status/phase").asText().matches("Failed|Succeeded") && asksForCard(pod)).toList(),
                "holds a card, and keeps the module from being unloaded");
    }

    /** A pod that its kubelet has refused stays as it is for ever. */
    List<Change> restartRefused() throws TroubleException, InterruptedException {
        return restarting(patient.pods().stream().filter(pod -> NodePods.isRefused(pod)
                && !pod.at("/spec/nodeName").asText("").isEmpty()).toList(), "refused by their kubelet");
    }

    /**
     * A kubelet that boots admits its pods before the device plugin has told it of a card, and refuses those that want one. They
     * are cleared away once that has happened, so that no second cure is needed.
     */
    static Optional<Change> refusedAfterBoot(String cluster, List<JsonNode> pods, String node) {
        List<PodRestart.Pod> wanting = going(pods.stream().filter(pod -> pod.at("/spec/nodeName").asText("").equals(node)
                && !pod.at("/status/phase").asText().equals("Succeeded") && asksForCard(pod)).toList());
        return wanting.isEmpty() ? Optional.empty() : Optional.of(new PodRestart(cluster, wanting, PodRestart.Which.REFUSED, TAKES,
                SETTLED, "a kubelet refuses pods with a card that come before the device plugin"));
    }

    private List<Change> restarting(List<JsonNode> pods, String summary) {
        List<PodRestart.Pod> going = going(pods);
        return going.isEmpty() ? List.of() : List.of(new PodRestart(patient.cluster().name(), going, TAKES, LIMIT, summary));
    }

    private static List<PodRestart.Pod> going(List<JsonNode> pods) {
        return pods.stream().filter(pod -> pod.at("/metadata/deletionTimestamp").isMissingNode())
                .flatMap(pod -> owner(pod).map(owner -> new PodRestart.Pod(pod.at("/metadata/namespace").asText(),
                        pod.at("/metadata/name").asText(), pod.at("/metadata/uid").asText(), owner, NodePods.began(pod))).stream())
                .toList();
    }

    private static Optional<String> owner(JsonNode pod) {
        return pod.at("/metadata/ownerReferences").valueStream().filter(o -> o.path("controller").asBoolean()).findFirst()
                .map(o -> o.path("kind").asText() + " " + o.path("name").asText());
    }

    /** As the notebooks' page does it. */
    List<Change> stopNotebooks() throws TroubleException, InterruptedException {
        Set<String> holding = new TreeSet<>();
        for (JsonNode pod : patient.pods()) {
            String name = pod.at("/metadata/labels/notebook-name").asText("");
            if (!name.isEmpty() && !pod.at("/spec/nodeName").asText("").isEmpty() && asksForCard(pod)
                    && (patient.finding().summary().contains(name) || patient.finding().summary().isEmpty())) {
                holding.add(pod.at("/metadata/namespace").asText() + "/" + name);
            }
        }
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.putObject("metadata").putObject("annotations").put(STOPPED, now);
        return patient.notebooks().stream().filter(n -> holding.contains(n.at("/metadata/namespace").asText() + "/"
                        + n.at("/metadata/name").asText()) && !n.at("/metadata/annotations").has(STOPPED))
                .<Change>map(n -> ManifestChange.setting(patient.cluster().name(), Patient.ref(Patient.notebookType(), n), n,
                        fields, Risk.RESTARTS_PODS, "stopped; its files stay")).toList();
    }

    static boolean asksForCard(JsonNode pod) {
        return pod.at("/spec/containers").valueStream().anyMatch(c -> c.at("/resources/limits").properties().stream()
                .anyMatch(r -> r.getKey().startsWith("nvidia.com/")));
    }
}
