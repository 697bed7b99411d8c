package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.Admission;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.control.Simulation;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** A store, some controllers and a stand-in for kubelets, on simulated time. */
final class WorkloadLab extends Simulation {
    static final Instant BEGIN = Instant.parse("2026-09-01T08:00:00Z");
    static final String NAMESPACE = "default";

    final PodRunner runner = new PodRunner(hand, pods);

    /** @param controllers what is tested, in their order */
    WorkloadLab(Function<ControlPlane, List<Controller>> controllers) {
        super(BEGIN);
        controllers.apply(plane).forEach(this::act);
        act(runner);
    }

    void admit(Admission further) {
        Admission before = admission;
        admission = request -> {
            before.admit(request);
            further.admit(request);
        };
    }

    static ObjectKey key(Resource resource, String name) {
        return new ObjectKey(resource, NAMESPACE, name);
    }

    StoredObject create(Resource resource, String name, String yaml) {
        return store.create(key(resource, name), yaml(yaml));
    }

    void change(Resource resource, String name, Consumer<ObjectNode> change) {
        hand.change(key(resource, name), change);
    }

    JsonNode get(Resource resource, String name) {
        return store.get(key(resource, name)).tree();
    }

    boolean has(Resource resource, String name) {
        return store.find(key(resource, name)).isPresent();
    }

    List<String> names(Resource resource) {
        return store.list(resource, NAMESPACE).objects().stream().map(object -> object.key().name()).toList();
    }

    /** Pods by their age and name. */
    List<PodFacts> podsOf(StoredObject owner) {
        return store.list(Resource.PODS, NAMESPACE).objects().stream().map(PodFacts::of)
                .filter(pod -> pod.ownerUid().equals(owner.uid()))
                .sorted(Comparator.comparing(PodFacts::created).thenComparing(pod -> pod.key().name())).toList();
    }

    List<JsonNode> podTrees(StoredObject owner) {
        return podsOf(owner).stream().<JsonNode>map(pod -> pod.object().tree()).toList();
    }

    /** Reasons of the events about an object, in the order they were first told. */
    List<String> reasons(StoredObject about) {
        return events(about).stream().map(event -> event.path("reason").asText()).toList();
    }

    List<String> messages(StoredObject about) {
        return events(about).stream().map(event -> event.path("message").asText()).toList();
    }

    private List<ObjectNode> events(StoredObject about) {
        return store.list(Resource.EVENTS, "").objects().stream()
                .sorted(Comparator.comparing(object -> object.key().name())).map(StoredObject::copy)
                .filter(event -> event.at("/involvedObject/uid").asText().equals(about.uid()))
                .sorted(Comparator.comparing(event -> event.path("firstTimestamp").asText())).toList();
    }

    static List<String> conditions(JsonNode object) {
        List<String> said = new ArrayList<>();
        object.at("/status/conditions").forEach(condition -> said.add(condition.path("type").asText() + "="
                + condition.path("status").asText() + " " + condition.path("reason").asText()));
        return said;
    }
}
