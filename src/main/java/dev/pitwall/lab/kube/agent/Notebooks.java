package dev.pitwall.lab.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Kubeflow's notebook controller, while its pod is ready: a Notebook becomes a StatefulSet and a Service, its status
 * follows the pod, and the annotation {@code kubeflow-resource-stopped}, whatever its value, takes the pod away. [facts:
 * cluster.md 7.4; kubeflow/notebooks v1.11]
 */
public final class Notebooks implements Controller {
    static final Resource NOTEBOOKS = new Resource("kubeflow.org", "notebooks");
    static final String STOPPED = "kubeflow-resource-stopped";
    private static final String COMPONENT = "notebook-controller";
    private static final Map<String, String> POD = Map.of("app", "notebook-controller");

    private final ClusterHand hand;
    private final Pods pods;
    private final EventRecorder events;
    private final Culling culling;
    private final Set<ObjectKey> dirty = new HashSet<>();
    private boolean wasReady;

    /** @param pods comes before this one in the loop */
    public Notebooks(ClusterHand hand, Pods pods, EventRecorder events) {
        this.hand = hand.as("system:serviceaccount:kubeflow:notebook-controller-service-account");
        this.pods = pods;
        this.events = events;
        this.culling = new Culling(this.hand, pods);
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(NOTEBOOKS, Resource.STATEFUL_SETS, Resource.PODS);
    }

    @Override
    public void observe(Change change) {
        StoredObject object = change.object();
        if (object.key().resource().equals(NOTEBOOKS)) {
            dirty.add(object.key());
        } else {
            Optional.ofNullable(object.labels().get("notebook-name"))
                    .ifPresent(name -> dirty.add(new ObjectKey(NOTEBOOKS, object.key().namespace(), name)));
        }
    }

    @Override
    public Instant act(Instant now) {
        boolean ready = pods.isReady("kubeflow", POD);
        if (ready && !wasReady) {
            culling.start();
        }
        wasReady = ready;
        if (!ready) {
            return Instant.MAX;
        }
        for (ObjectKey key : List.copyOf(dirty)) {
            dirty.remove(key);
            hand.find(key).filter(notebook -> !notebook.tree().path("metadata").has("deletionTimestamp"))
                    .ifPresent(notebook -> bring(notebook, now));
        }
        return culling.act(now);
    }

    private void bring(StoredObject notebook, Instant now) {
        try {
            put(new ObjectKey(Resource.STATEFUL_SETS, notebook.key().namespace(), notebook.key().name()), set(notebook),
                    notebook, now);
            put(new ObjectKey(Resource.SERVICES, notebook.key().namespace(), notebook.key().name()), service(notebook),
                    notebook, now);
        } catch (AdmissionRefusal refused) {
            event(notebook, Type.Warning, "ReconcileError", refused.getMessage(), now);
        }
        status(notebook);
    }

    /** Makes the object, or makes what is the controller's in it as it should be. */
    private void put(ObjectKey key, ObjectNode wanted, StoredObject notebook, Instant now) {
        Optional<StoredObject> there = hand.find(key);
        if (there.isEmpty()) {
            hand.create(key, wanted);
            event(notebook, Type.Normal, "Created", "Created " + key.resource().plural() + " " + key.name(), now);
        } else if (key.resource().equals(Resource.STATEFUL_SETS)) {
            hand.change(key, object -> {
                ObjectNode spec = object.withObjectProperty("spec");
                spec.set("replicas", wanted.at("/spec/replicas"));
                JsonNode pod = wanted.at("/spec/template/spec");
                if (!covers(spec.at("/template/spec"), pod)) {
                    ((ObjectNode) spec.withObjectProperty("template")).set("spec", pod);
                }
            });
        }
    }

    /** True if all that is wanted stands in what is there; the API server's defaults may stand beside it. */
    private static boolean covers(JsonNode there, JsonNode wanted) {
        if (wanted.isObject()) {
            for (Map.Entry<String, JsonNode> field : wanted.properties()) {
                if (!covers(there.path(field.getKey()), field.getValue())) {
                    return false;
                }
            }
            return there.isObject();
        }
        if (wanted.isArray()) {
            boolean same = there.size() == wanted.size();
            for (int i = 0; same && i < wanted.size(); i++) {
                same = covers(there.get(i), wanted.get(i));
            }
            return same;
        }
        return there.asText().equals(wanted.asText());
    }

    private void event(StoredObject notebook, Type type, String reason, String message, Instant now) {
        events.record(new Subject(notebook, "kubeflow.org/v1", "Notebook"), Source.of(COMPONENT), type, reason, message,
                now);
    }

    private static ObjectNode owned(StoredObject notebook) {
        ObjectNode object = Json.object();
        Owners.own(object, notebook, "kubeflow.org/v1", "Notebook");
        return object;
    }

    private static ObjectNode set(StoredObject notebook) {
        String name = notebook.key().name();
        JsonNode tree = notebook.tree();
        ObjectNode set = owned(notebook);
        set.withObjectProperty("metadata").putObject("labels").put("notebook-name", name);
        ObjectNode spec = set.putObject("spec")
                .put("replicas", tree.path("metadata").path("annotations").has(STOPPED) ? 0 : 1);
        spec.putObject("selector").putObject("matchLabels").put("statefulset", name);
        ObjectNode template = spec.putObject("template");
        ObjectNode labels = template.putObject("metadata").putObject("labels").put("statefulset", name)
                .put("notebook-name", name);
        tree.at("/metadata/labels").properties().forEach(label -> labels.set(label.getKey(), label.getValue()));
        ObjectNode pod = template.putObject("spec");
        if (tree.at("/spec/template/spec") instanceof ObjectNode given) {
            pod.setAll(given.deepCopy());
        }
        if (!pod.has("securityContext")) {
            pod.putObject("securityContext").put("fsGroup", 100);
        }
        if (pod.at("/containers/0") instanceof ObjectNode first) {
            container(first, notebook);
        }
        return set;
    }

    private static void container(ObjectNode container, StoredObject notebook) {
        if (!container.has("workingDir")) {
            container.put("workingDir", "/home/jovyan");
        }
        if (container.path("ports").isEmpty()) {
            container.putArray("ports").addObject().put("name", "notebook-port").put("containerPort", 8888)
                    .put("protocol", "TCP");
        }
        ArrayNode env = container.withArrayProperty("env");
        boolean has = false;
        for (JsonNode variable : env) {
            has |= variable.path("name").asText().equals("NB_PREFIX");
        }
        if (!has) {
            env.addObject().put("name", "NB_PREFIX")
                    .put("value", "/notebook/" + notebook.key().namespace() + "/" + notebook.key().name());
        }
    }

    private static ObjectNode service(StoredObject notebook) {
        ObjectNode service = owned(notebook);
        ObjectNode spec = service.putObject("spec").put("type", "ClusterIP");
        spec.putObject("selector").put("statefulset", notebook.key().name());
        JsonNode port = notebook.tree().at("/spec/template/spec/containers/0/ports/0/containerPort");
        spec.putArray("ports").addObject().put("name", "http-" + notebook.key().name()).put("port", 80)
                .put("targetPort", port.asInt(8888)).put("protocol", "TCP");
        return service;
    }

    private void status(StoredObject notebook) {
        ObjectKey set = new ObjectKey(Resource.STATEFUL_SETS, notebook.key().namespace(), notebook.key().name());
        int ready = hand.find(set).map(found -> found.tree().at("/status/readyReplicas").asInt()).orElse(0);
        Optional<JsonNode> pod = pods.find(new ObjectKey(Resource.PODS, notebook.key().namespace(),
                notebook.key().name() + "-0")).map(PodFacts::object).map(StoredObject::tree);
        hand.status(notebook.key(), object -> {
            ObjectNode status = object.withObjectProperty("status").put("readyReplicas", ready);
            ArrayNode conditions = status.putArray("conditions");
            ObjectNode state = status.putObject("containerState");
            pod.ifPresent(found -> {
                found.at("/status/conditions").forEach(conditions::add);
                found.at("/status/containerStatuses").forEach(container -> {
                    if (container.path("name").asText().equals(notebook.key().name())
                            && container.path("state") instanceof ObjectNode now) {
                        state.setAll(now);
                    }
                });
            });
        });
    }
}
