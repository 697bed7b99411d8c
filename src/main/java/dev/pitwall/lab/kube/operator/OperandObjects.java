package dev.pitwall.lab.kube.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.ClusterHand;
import dev.pitwall.lab.kube.object.Owners;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;

import java.util.List;
import java.util.Optional;

/**
 * The objects that the operator makes for a ClusterPolicy, which owns them all. A DaemonSet is written again only when
 * what the policy makes of it has changed, so a change by hand stays until then.
 */
final class OperandObjects {
    private static final Resource MONITORS = new Resource("monitoring.coreos.com", "servicemonitors");
    private static final String EXPORTER = "nvidia-dcgm-exporter";

    private final ClusterHand hand;
    private final String namespace;
    private final StoredObject policy;

    OperandObjects(ClusterHand hand, String namespace, StoredObject policy) {
        this.hand = hand;
        this.namespace = namespace;
        this.policy = policy;
    }

    /** RuntimeClasses for the handlers that the toolkit registers; none with the NRI plugin (facts: cluster.md 1.5). */
    void runtimeClasses(JsonNode spec) {
        String name = PolicyDefaults.runtimeClass(spec);
        List<String> all = List.of(name, "nvidia-cdi", "nvidia-legacy");
        boolean injected = spec.at("/cdi/nriPluginEnabled").asBoolean(false);
        for (String each : all) {
            ObjectKey key = new ObjectKey(Resource.RUNTIME_CLASSES, "", each);
            if (injected) {
                hand.find(key).filter(this::isOurs).ifPresent(old -> hand.delete(key, 0));
            } else if (hand.find(key).isEmpty()) {
                ObjectNode object = Json.object();
                own(object);
                hand.create(key, object.put("handler", each));
            }
        }
    }

    void account(String name) {
        ObjectKey key = new ObjectKey(Resource.SERVICE_ACCOUNTS, namespace, name);
        if (hand.find(key).isEmpty()) {
            ObjectNode object = Json.object();
            own(object);
            hand.create(key, object);
        }
    }

    void apply(Operand operand, JsonNode wanted) {
        account(operand.account());
        ObjectKey key = key(operand);
        Optional<StoredObject> there = hand.find(key);
        String hash = hash(wanted);
        if (there.isEmpty()) {
            ObjectNode object = wanted.deepCopy();
            own(object);
            hand.create(key, object);
        } else if (!hash.equals(hash(there.get().tree()))) {
            hand.change(key, object -> {
                object.withObjectProperty("metadata").withObjectProperty("annotations")
                        .put(DaemonSetMaker.HASH, hash);
                object.withObjectProperty("metadata").set("labels", wanted.at("/metadata/labels").deepCopy());
                object.set("spec", wanted.path("spec").deepCopy());
            });
        }
    }

    void remove(Operand operand) {
        if (hand.find(key(operand)).isPresent()) {
            hand.delete(key(operand), 0);
        }
    }

    ObjectKey key(Operand operand) {
        return new ObjectKey(Resource.DAEMON_SETS, namespace, operand.name());
    }

    private static String hash(JsonNode object) {
        return object.at("/metadata/annotations").path(DaemonSetMaker.HASH).asText("");
    }

    /** The exporter's Service, and its ServiceMonitor if such objects exist here. (facts: cluster.md 3) */
    void exporter(JsonNode spec) {
        JsonNode part = spec.path("dcgmExporter");
        boolean on = part.path("enabled").asBoolean(true);
        keep(new ObjectKey(Resource.SERVICES, namespace, EXPORTER), on, service(part));
        boolean monitored = on && part.at("/serviceMonitor/enabled").asBoolean(false)
                && hand.find(new ObjectKey(Resource.DEFINITIONS, "", MONITORS.qualified())).isPresent();
        keep(new ObjectKey(MONITORS, namespace, EXPORTER), monitored, monitor(part.path("serviceMonitor")));
    }

    private void keep(ObjectKey key, boolean wanted, ObjectNode object) {
        boolean there = hand.find(key).isPresent();
        if (wanted && !there) {
            own(object);
            hand.create(key, object);
        } else if (!wanted && there) {
            hand.find(key).filter(this::isOurs).ifPresent(old -> hand.delete(key, 0));
        }
    }

    private static ObjectNode service(JsonNode part) {
        ObjectNode object = Json.object();
        ObjectNode metadata = object.putObject("metadata");
        metadata.putObject("labels").put("app", EXPORTER);
        metadata.putObject("annotations").put("prometheus.io/scrape", "true");
        ObjectNode spec = object.putObject("spec");
        spec.put("type", part.at("/service/type").asText("ClusterIP"));
        spec.put("internalTrafficPolicy", part.at("/service/internalTrafficPolicy").asText("Cluster"));
        spec.putObject("selector").put("app", EXPORTER);
        spec.putArray("ports").addObject().put("name", "gpu-metrics").put("port", 9400).put("targetPort", 9400)
                .put("protocol", "TCP");
        return object;
    }

    private ObjectNode monitor(JsonNode part) {
        ObjectNode object = Json.object();
        ObjectNode labels = object.putObject("metadata").putObject("labels");
        labels.put("app", EXPORTER);
        part.path("additionalLabels").properties().forEach(l -> labels.put(l.getKey(), l.getValue().asText()));
        ObjectNode spec = object.putObject("spec");
        spec.putObject("selector").putObject("matchLabels").put("app", EXPORTER);
        spec.putObject("namespaceSelector").putArray("matchNames").add(namespace);
        ObjectNode endpoint = spec.putArray("endpoints").addObject();
        endpoint.put("port", "gpu-metrics").put("path", "/metrics").put("interval",
                part.path("interval").asText("15s")).put("honorLabels", part.path("honorLabels").asBoolean(false));
        if (!part.path("relabelings").isEmpty()) {
            endpoint.set("relabelings", part.path("relabelings").deepCopy());
        }
        return object;
    }

    private boolean isOurs(StoredObject object) {
        return object.tree().at("/metadata/ownerReferences/0/uid").asText("").equals(policy.uid());
    }

    private void own(ObjectNode object) {
        object.withObjectProperty("metadata").remove("ownerReferences");
        Owners.own(object, policy, "nvidia.com/v1", "ClusterPolicy");
    }
}
