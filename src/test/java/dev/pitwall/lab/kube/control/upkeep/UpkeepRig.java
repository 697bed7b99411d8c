package dev.pitwall.lab.kube.control.upkeep;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.ServedKinds;
import dev.pitwall.lab.kube.admit.AdmissionChain;
import dev.pitwall.lab.kube.api.Gate;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.control.ControlPlane;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.Kinds;
import dev.pitwall.lab.kube.control.Simulation;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.World;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** An empty cluster on simulated time with some controllers, and nothing that runs pods. */
public final class UpkeepRig extends Simulation {
    public final ResourceCatalog catalog;
    public final Kinds kinds;

    /** What controllers are made of. */
    public record Parts(ControlPlane plane, Kinds kinds, World world) {
    }

    /** @param controllers what comes after those that know pods, nodes and objects */
    public UpkeepRig(Function<Parts, List<Controller>> controllers) {
        this(ResourceCatalog.load(), controllers);
    }

    private UpkeepRig(ResourceCatalog catalog, Function<Parts, List<Controller>> controllers) {
        super(Instant.parse("2026-11-30T12:00:00Z"), catalog, 4096);
        this.catalog = catalog;
        this.kinds = new ServedKinds(catalog);
        this.admission = new Gate(catalog, store, new AdmissionChain(store, List.of()), clock).inside();
        controllers.apply(new Parts(plane, kinds, world)).forEach(this::act);
        for (String namespace : List.of("default", "kube-system")) {
            put("v1", "Namespace", "", namespace, "{spec: {finalizers: [kubernetes]}, status: {phase: Active}}");
            put("v1", "ServiceAccount", namespace, "default", "{}");
        }
    }

    public ObjectKey key(String apiVersion, String kind, String namespace, String name) {
        return new ObjectKey(kinds.findByApiVersion(apiVersion, kind).orElseThrow(), namespace, name);
    }

    /** Creates an object past admission. @param yaml its body, in YAML's flow style */
    public StoredObject put(String apiVersion, String kind, String namespace, String name, String yaml) {
        return store.create(key(apiVersion, kind, namespace, name), yaml(yaml));
    }

    /** An owner reference to an object, for a body of {@link #put}. */
    public static String owner(String apiVersion, String kind, StoredObject owner) {
        return "{apiVersion: " + apiVersion + ", kind: " + kind + ", name: " + owner.key().name() + ", uid: "
                + owner.uid() + ", controller: true, blockOwnerDeletion: true}";
    }

    public JsonNode get(ObjectKey key) {
        return store.get(key).tree();
    }

    public boolean has(ObjectKey key) {
        return store.find(key).isPresent();
    }

    public List<StoredObject> all(Resource resource, String namespace) {
        return store.list(resource, namespace).objects();
    }

    /** {@code Reason: message} of the events about objects of a name, in any namespace. */
    public List<String> events(String about) {
        return all(Resource.EVENTS, "").stream().map(StoredObject::tree)
                .filter(event -> event.at("/involvedObject/name").asText().equals(about))
                .map(event -> event.path("reason").asText() + ": " + event.path("message").asText()).toList();
    }

    /** A condition as {@code Status/Reason/message}. */
    public static String condition(JsonNode object, String type) {
        for (JsonNode each : object.at("/status/conditions")) {
            if (each.path("type").asText().equals(type)) {
                return each.path("status").asText() + "/" + each.path("reason").asText() + "/"
                        + each.path("message").asText();
            }
        }
        return "";
    }
}
