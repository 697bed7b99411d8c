package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The objects a cluster ought to have now. */
final class Desired {
    private static final int HOSTS = 250;

    private final Set<String> ips = new HashSet<>();
    private final Map<ObjectKey, ObjectNode> objects = new LinkedHashMap<>();
    private final Map<ObjectKey, String> places = new HashMap<>();
    private final Incarnations incarnations;

    Desired(Incarnations incarnations) {
        this.incarnations = incarnations;
    }

    Map<ObjectKey, ObjectNode> objects() {
        return objects;
    }

    /** The place that each replaceable pod fills. */
    Map<ObjectKey, String> places() {
        return places;
    }

    /**
     * An address in a node's pod network that no other pod here has.
     *
     * @param network the first three numbers, for example {@code 10.42.9}
     */
    String claimIp(String network, String pod) {
        long host = Names.hash(pod) % HOSTS;
        String ip = network + "." + (2 + host);
        while (!ips.add(ip)) {
            host = (host + 1) % HOSTS;
            ip = network + "." + (2 + host);
        }
        return ip;
    }

    Incarnations incarnations() {
        return incarnations;
    }

    /** Begins an object: its metadata with a name, a uid that follows from it, and the time it was made. */
    ObjectNode add(Resource resource, String namespace, String name, Instant created) {
        ObjectKey key = new ObjectKey(resource, namespace, name);
        ObjectNode object = Json.object();
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        metadata.put("uid", uid(key));
        metadata.put("creationTimestamp", ObjectStore.timestamp(created));
        objects.put(key, object);
        return object;
    }

    static String uid(ObjectKey key) {
        return Names.uid(key.resource().qualified() + "/" + key.namespace() + "/" + key.name());
    }

    static Owner owner(String apiVersion, String kind, ObjectKey key) {
        return new Owner(apiVersion, kind, key.name(), uid(key));
    }

    static ObjectNode metadata(ObjectNode object) {
        return (ObjectNode) object.path("metadata");
    }

    static void labels(ObjectNode object, Map<String, String> labels) {
        if (!labels.isEmpty()) {
            ObjectNode node = metadata(object).withObjectProperty("labels");
            labels.forEach(node::put);
        }
    }

    static void ownedBy(ObjectNode object, Owner owner) {
        metadata(object).putArray("ownerReferences").addObject().put("apiVersion", owner.apiVersion())
                .put("kind", owner.kind()).put("name", owner.name()).put("uid", owner.uid())
                .put("controller", true).put("blockOwnerDeletion", true);
    }
}
