package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.NodeTerms;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Containers;
import dev.pitwall.lab.kube.object.Quantities;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Whether a kubelet takes a pod that was bound to its node. Reasons and texts are the kubelet's. */
final class Admitting {
    private static final List<String> COUNTED = List.of("cpu", "memory");

    private final Surroundings around;

    Admitting(Surroundings around) {
        this.around = around;
    }

    /** @param reason for example {@code OutOfcpu} */
    record Refusal(String reason, String message) {
    }

    /** Devices first, as the kubelet has it; what it gives is in the node's book then. */
    Optional<Refusal> refusal(PodRecord record, PodWork work) {
        JsonNode pod = record.facts().object().tree();
        return devices(record, work, pod.path("spec")).or(() -> around.hand()
                .find(new ObjectKey(Resource.NODES, "", record.kubelet().name()))
                .map(NodeFacts::of)
                .flatMap(node -> affinity(pod.path("spec"), node).or(() -> room(record, node))));
    }

    private Optional<Refusal> devices(PodRecord record, PodWork work, JsonNode spec) {
        if (record.facts().requests().keySet().stream().noneMatch(name -> name.contains("/"))) {
            return Optional.empty();
        }
        Map<String, Map<String, Long>> asked = new LinkedHashMap<>();
        Containers.of(spec).forEach(container -> asked.put(container.path("name").asText(),
                Quantities.units(container.at("/resources/limits"))));
        Set<String> inits = new TreeSet<>();
        work.init.stream().filter(cell -> cell.kind == ContainerCell.Kind.INIT).forEach(cell -> inits.add(cell.name));
        try {
            record.kubelet().book().release(record.uid());
            record.kubelet().book().allocate(record.uid(), asked, inits);
            return Optional.empty();
        } catch (NodeBook.Refusal refusal) {
            return Optional.of(new Refusal("UnexpectedAdmissionError",
                    "Allocate failed due to " + refusal.getMessage() + ", which is unexpected"));
        }
    }

    private static Optional<Refusal> affinity(JsonNode spec, NodeFacts node) {
        return NodeTerms.of(spec).accept(node) ? Optional.empty() : Optional.of(new Refusal("NodeAffinity",
                "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"));
    }

    private Optional<Refusal> room(PodRecord record, NodeFacts node) {
        List<PodFacts> others = around.pods().onNode(record.kubelet().name()).stream()
                .filter(other -> !other.isDone() && !other.uid().equals(record.uid())).toList();
        for (String resource : COUNTED) {
            long wanted = record.facts().requests(resource);
            long used = others.stream().mapToLong(other -> other.requests(resource)).sum();
            long capacity = node.allocatable(resource);
            if (wanted > 0 && used + wanted > capacity) {
                return Optional.of(new Refusal("OutOf" + resource, "Node didn't have enough resource: " + resource
                        + ", requested: " + wanted + ", used: " + used + ", capacity: " + capacity));
            }
        }
        return Optional.empty();
    }
}
