package dev.pitwall.lab.fault;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.pitwall.lab.kube.api.ResourceCatalog;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.kube.store.StoredObject;
import dev.pitwall.lab.world.World;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The state of a lab as text, a line each, without what time alone changes: stamps, addresses of pods, the ends of
 * generated names, counts of restarts, events, heartbeats, jobs, and what models happen to be in memory.
 */
public final class LabPicture {
    private static final ObjectMapper JSON = JsonMapper.builder().addModule(new JavaTimeModule())
            .disable(MapperFeature.REQUIRE_HANDLERS_FOR_JAVA8_OPTIONALS)
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.PUBLIC_ONLY).build();
    private static final Set<String> LEFT_OUT = Set.of("events", "leases", "controllerrevisions", "replicasets",
            "endpointslices", "endpoints", "secrets", "jobs");
    private static final Set<String> STAMPS = Set.of("resourceVersion", "uid", "creationTimestamp", "generation",
            "observedGeneration", "managedFields", "lastTransitionTime", "lastHeartbeatTime", "lastUpdateTime",
            "lastProbeTime", "startTime", "startedAt", "finishedAt", "restartCount", "lastState", "containerID", "podIP", "podIPs",
            "hostIP", "hostIPs", "bootID", "renewTime", "collisionCount", "conditions", "message", "allocatedResources",
            "nvidia.com/gfd.timestamp", "deprecated.daemonset.template.generation",
            "deployment.kubernetes.io/revision");
    private static final Set<String> WORLD_STAMPS = Set.of("faults", "temperatureC", "powerW", "utilizationPercent",
            "memoryUsedMiB", "smClockMHz", "memoryClockMHz", "energyMilliJoule", "cpuLoad", "memoryShare", "driverSince",
            "bootedAt", "startedAt", "kernelSince", "wentDown", "kernelLines", "pastBoots", "kernelLog", "loaded",
            "changed", "guestUpAt", "bound", "tasks", "/etc/kubernetes/node-feature-discovery/features.d/gfd");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.\\dZ]*");
    private static final Pattern SUFFIX = Pattern.compile("-([a-z0-9]{8,10}|[bcdfghjklmnpqrstvwxz2456789]{5})$");

    private final World world;
    private final ObjectStore store;
    private final ResourceCatalog catalog;
    /** Lines of each object's version, which do not change. */
    private final Map<StoredObject, Map<String, String>> drawn = new IdentityHashMap<>();

    public LabPicture(World world, ObjectStore store, ResourceCatalog catalog) {
        this.world = world;
        this.store = store;
        this.catalog = catalog;
    }

    /** As it is now. */
    public List<String> draw() {
        Map<String, String> lines = new TreeMap<>();
        world.read(w -> {
            flat(lines, "world", without(JSON.valueToTree(w), WORLD_STAMPS));
            return null;
        });
        catalog.types().stream().map(type -> type.resource()).distinct()
                .filter(resource -> !LEFT_OUT.contains(resource.plural()))
                .forEach(resource -> objects(lines, resource));
        return lines.entrySet().stream().map(line -> line.getKey() + " = " + line.getValue()).toList();
    }

    /** Lines that are in one of two pictures only: gone with a minus, new with a plus. */
    public static List<String> difference(List<String> before, List<String> after) {
        Set<String> was = Set.copyOf(before);
        Set<String> is = Set.copyOf(after);
        return Stream.concat(before.stream().filter(line -> !is.contains(line)).map("- "::concat),
                after.stream().filter(line -> !was.contains(line)).map("+ "::concat)).toList();
    }

    private void objects(Map<String, String> lines, Resource resource) {
        Map<String, Long> pods = new TreeMap<>();
        for (StoredObject object : store.list(resource, "").objects()) {
            Map<String, String> own = drawn.computeIfAbsent(object, LabPicture::lines);
            if (resource.plural().equals("pods")) {
                own.keySet().forEach(pod -> pods.merge(pod, 1L, Long::sum));
            } else {
                lines.putAll(own);
            }
        }
        pods.forEach((pod, count) -> lines.put(pod, count.toString()));
    }

    private static Map<String, String> lines(StoredObject object) {
        Map<String, String> lines = new HashMap<>();
        String path = object.key().resource().qualified() + " " + object.key().namespace() + "/";
        JsonNode tree = without(object.copy(), STAMPS);
        if (!object.key().resource().plural().equals("pods")) {
            flat(lines, path + object.key().name(), tree);
        } else if (!tree.at("/metadata/ownerReferences/0/kind").asText().equals("Job")) {
            lines.put(path + pod(object, tree), "");
        }
        return lines;
    }

    /** Pods are made anew under other names, so that what they have in common is compared. */
    private static String pod(StoredObject object, JsonNode tree) {
        boolean bound = tree.at("/metadata/ownerReferences/0/kind").asText().equals("DaemonSet");
        String ready = tree.at("/status/containerStatuses").valueStream()
                .map(status -> status.path("ready").asText()).collect(Collectors.joining(","));
        String owner = tree.at("/metadata/ownerReferences/0/name").asText(object.key().name());
        return SUFFIX.matcher(owner).replaceFirst("") + (bound ? " on " + tree.at("/spec/nodeName").asText()
                : "") + " " + tree.at("/status/phase").asText() + " " + ready
                + (tree.at("/metadata/deletionTimestamp").isMissingNode() ? "" : " leaving");
    }

    private static JsonNode without(JsonNode node, Set<String> fields) {
        switch (node) {
            case ObjectNode object -> {
                object.remove(fields);
                if (object.path("kind").asText().equals("Pod") && object.has("apiVersion")) {
                    // A reference to a pod, whose name is generated.
                    object.remove("name");
                }
                object.properties().forEach(field -> object.set(field.getKey(), without(field.getValue(), fields)));
            }
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    array.set(i, without(array.get(i), fields));
                }
            }
            case TextNode text -> {
                return TextNode.valueOf(TIME.matcher(text.textValue()).replaceAll("TIME"));
            }
            default -> {
            }
        }
        return node;
    }

    private static void flat(Map<String, String> lines, String path, JsonNode node) {
        if (node.isContainerNode() && !node.isEmpty()) {
            if (node.isObject()) {
                node.properties().forEach(field -> flat(lines, path + "/" + field.getKey(), field.getValue()));
            } else {
                for (int i = 0; i < node.size(); i++) {
                    flat(lines, path + "/" + i, node.get(i));
                }
            }
        } else {
            lines.put(path, node.toString());
        }
    }
}
