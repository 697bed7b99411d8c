package dev.pitwall.lab.kube.operator.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.control.Controller;
import dev.pitwall.lab.kube.control.NodeFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code nfd-master}: writes what NodeFeatures say as labels of the nodes, and takes back what no longer holds. It acts
 * only while its pod is ready; labels that are there stay meanwhile. NodeFeatures of nodes that are gone are cleared
 * away, as {@code nfd-gc} does.
 */
public final class Master implements Controller {
    private static final String OWNED = "nfd.node.kubernetes.io/feature-labels";
    private static final Map<String, String> POD = Map.of("app.kubernetes.io/name", "node-feature-discovery", "role",
            "master");
    /** The standalone plugin's chart gives its bundled NFD another name. */
    private static final Map<String, String> OTHER_POD = Map.of("app.kubernetes.io/name", "nfd", "role", "master");

    private final ClusterHand hand;
    private final Pods pods;
    private final Map<ObjectKey, Feature> features = new TreeMap<>(Comparator.comparing(ObjectKey::namespace)
            .thenComparing(ObjectKey::name));
    private final Map<String, StoredObject> nodes = new TreeMap<>();
    private final Set<String> dirty = new TreeSet<>();

    private record Feature(String node, Map<String, String> labels) {
        static Feature of(StoredObject object) {
            JsonNode tree = object.tree();
            Map<String, String> labels = new TreeMap<>();
            tree.at("/spec/labels").properties().forEach(label -> labels.put(label.getKey(),
                    label.getValue().asText()));
            return new Feature(object.labels().getOrDefault(Worker.NODE_LABEL, object.key().name()), labels);
        }
    }

    public Master(ClusterHand hand, Pods pods) {
        this.hand = hand.as("system:serviceaccount:gpu-operator:node-feature-discovery");
        this.pods = pods;
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Worker.FEATURES, Resource.NODES, Resource.PODS);
    }

    @Override
    public void seen(StoredObject object) {
        if (object.key().resource().equals(Worker.FEATURES)) {
            Feature feature = Feature.of(object);
            features.put(object.key(), feature);
            dirty.add(feature.node());
        } else if (object.key().resource().equals(Resource.NODES)) {
            StoredObject before = nodes.put(object.key().name(), object);
            if (before == null || !before.labels().equals(object.labels())) {
                dirty.add(object.key().name());
            }
        }
    }

    @Override
    public void gone(StoredObject object) {
        if (object.key().resource().equals(Worker.FEATURES)) {
            Feature feature = features.remove(object.key());
            if (feature != null) {
                dirty.add(feature.node());
            }
        } else if (object.key().resource().equals(Resource.NODES)) {
            nodes.remove(object.key().name());
        }
    }

    @Override
    public Instant act(Instant now) {
        collect();
        if (!dirty.isEmpty() && isReady()) {
            Set<String> due = new TreeSet<>(dirty);
            dirty.clear();
            due.stream().filter(nodes::containsKey).forEach(this::write);
        }
        return Instant.MAX;
    }

    private boolean isReady() {
        return pods.all().stream().anyMatch(pod -> pod.ready() && pod.deletion().isEmpty()
                && (pod.labels().entrySet().containsAll(POD.entrySet())
                || pod.labels().entrySet().containsAll(OTHER_POD.entrySet())));
    }

    /** A node that is gone takes its features along. */
    private void collect() {
        features.entrySet().stream().filter(entry -> !nodes.isEmpty() && !nodes.containsKey(entry.getValue().node()))
                .map(Map.Entry::getKey).toList().forEach(key -> hand.delete(key, 0));
    }

    private void write(String node) {
        Map<String, String> wanted = new TreeMap<>();
        features.values().stream().filter(feature -> feature.node().equals(node))
                .forEach(feature -> wanted.putAll(feature.labels()));
        hand.change(NodeFacts.key(node), object -> apply(object, wanted));
    }

    /** Takes all that a master has written off a node. */
    static void clear(ObjectNode node) {
        apply(node, Map.of());
    }

    private static void apply(ObjectNode object, Map<String, String> wanted) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        ObjectNode labels = metadata.withObjectProperty("labels");
        ObjectNode annotations = metadata.withObjectProperty("annotations");
        for (String old : annotations.path(OWNED).asText("").split(",")) {
            String name = full(old);
            if (!old.isEmpty() && !wanted.containsKey(name)) {
                labels.remove(name);
            }
        }
        wanted.forEach(labels::put);
        if (wanted.isEmpty()) {
            annotations.remove(OWNED);
        } else {
            annotations.put(OWNED, String.join(",", wanted.keySet().stream().map(Master::brief).toList()));
        }
    }

    /** NFD's annotation names labels of its own domain without it. */
    private static String brief(String label) {
        return label.startsWith(Features.DOMAIN) ? label.substring(Features.DOMAIN.length()) : label;
    }

    private static String full(String name) {
        return name.contains("/") ? name : Features.DOMAIN + name;
    }
}
