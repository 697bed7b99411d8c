package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.KnownObjects;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.Simulation;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A store, the workload controllers and {@link TinyKubelets}, on simulated time. */
final class WorkloadRig extends Simulation {
    static final String NAMESPACE = "default";
    static final Instant BEGIN = Instant.parse("2026-09-01T08:00:00Z");

    final TinyKubelets kubelets = new TinyKubelets(hand, pods, nodes);

    /** @param watcher called after each round of the controllers, to look at what is between */
    WorkloadRig(Consumer<WorkloadRig> watcher) {
        super(BEGIN);
        act(new Deployments(plane), new ReplicaSets(plane), new DaemonSets(plane), kubelets,
                new Look(() -> watcher.accept(this)));
    }

    static WorkloadRig plain() {
        return new WorkloadRig(rig -> { });
    }

    private record Look(Runnable look) implements Controller {
        @Override
        public Set<Resource> watches() {
            return Set.of(Resource.PODS);
        }

        @Override
        public Instant act(Instant now) {
            look.run();
            return Instant.MAX;
        }
    }

    StoredObject create(Resource resource, String yaml) {
        ObjectNode object = yaml(yaml);
        String namespace = resource.equals(Resource.NODES) ? "" : NAMESPACE;
        return hand.create(new ObjectKey(resource, namespace, object.at("/metadata/name").asText()), object);
    }

    /** A node that is ready. @param labels as {@code key: value, …} */
    void node(String name, String labels) {
        create(Resource.NODES, "{metadata: {name: " + name + ", labels: {" + labels + "}}, spec: {}, "
                + "status: {conditions: [{type: Ready, status: 'True'}], allocatable: {pods: '110'}}}");
    }

    void change(Resource resource, String name, Consumer<ObjectNode> change) {
        hand.change(key(resource, name), change);
    }

    /** Sets the first container's image. */
    void image(Resource resource, String name, String image) {
        change(resource, name, tree -> ((ObjectNode) tree.at("/spec/template/spec/containers/0")).put("image", image));
    }

    void spec(Resource resource, String name, Consumer<ObjectNode> change) {
        change(resource, name, tree -> change.accept((ObjectNode) tree.path("spec")));
    }

    static ObjectKey key(Resource resource, String name) {
        return new ObjectKey(resource, resource.equals(Resource.NODES) ? "" : NAMESPACE, name);
    }

    ObjectNode get(Resource resource, String name) {
        return store.get(key(resource, name)).copy();
    }

    KnownObjects.Item item(Resource resource, String name) {
        return new KnownObjects.Item(store.get(key(resource, name)));
    }

    JsonNode status(Resource resource, String name) {
        return get(resource, name).path("status");
    }

    /** {@code status reason message} of a condition. */
    String condition(Resource resource, String name, String type) {
        for (JsonNode condition : status(resource, name).path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText() + " " + condition.path("reason").asText() + " "
                        + condition.path("message").asText();
            }
        }
        return "none";
    }

    List<ObjectNode> all(Resource resource) {
        return store.list(resource, "").objects().stream().map(StoredObject::copy).toList();
    }

    /** ReplicaSets, those of the lowest revision first. */
    List<ObjectNode> sets() {
        return all(Resource.REPLICA_SETS).stream().sorted(Comparator.comparingInt(set -> Integer.parseInt(
                note(set, RevisionNotes.REVISION)))).toList();
    }

    static String note(JsonNode object, String annotation) {
        return object.at("/metadata/annotations").path(annotation).asText("0");
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    /** Pods as they are in the store, by name. */
    List<PodFacts> pods() {
        return store.list(Resource.PODS, "").objects().stream().map(PodFacts::of).toList();
    }

    List<PodFacts> active() {
        return pods().stream().filter(PodFacts::isActive).toList();
    }

    /** How many pods have what value. */
    <T> Map<T, Long> count(Function<PodFacts, T> value) {
        return pods().stream().collect(Collectors.groupingBy(value, Collectors.counting()));
    }

    static String image(PodFacts pod) {
        return pod.object().tree().at("/spec/containers/0/image").asText();
    }

    /** Texts of events about an object, as {@code reason: message}, in their order. */
    List<String> events(String kind, String name) {
        return all(Resource.EVENTS).stream()
                .filter(event -> event.at("/involvedObject/kind").asText().equals(kind)
                        && event.at("/involvedObject/name").asText().equals(name))
                .sorted(Comparator.comparing(event -> Long.parseLong(name(event).substring(
                        name(event).lastIndexOf('.') + 1), 16)))
                .map(event -> event.path("reason").asText() + ": " + event.path("message").asText()).toList();
    }
}
