package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.change.ObjectType;
import io.kubernetes.client.Discovery;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All objects of a cluster, of every type that its API server serves, as what they ask for: without states, versions, and
 * what comes and goes by itself.
 */
final class ClusterPicture {
    private static final Set<String> BY_THEMSELVES = Set.of("events", "leases", "componentstatuses", "endpoints",
            "endpointslices", "nodes.metrics.k8s.io", "pods.metrics.k8s.io");

    private ClusterPicture() {
    }

    /** One text an object, by its name. */
    static TreeMap<String, String> of(Cluster cluster, Path kubeconfig) throws Exception {
        TreeMap<String, String> all = new TreeMap<>();
        for (ObjectType type : types(kubeconfig)) {
            for (JsonNode object : cluster.list(type, "", "")) {
                all.put(type.resource() + "/" + object.at("/metadata/namespace").asText("") + "/"
                        + object.at("/metadata/name").asText(), plain(object).toString());
            }
        }
        return all;
    }

    private static JsonNode plain(JsonNode object) {
        ObjectNode plain = object.deepCopy();
        plain.remove("status");
        ((ObjectNode) plain.path("metadata")).remove(List.of("resourceVersion", "generation"));
        return plain;
    }

    private static List<ObjectType> types(Path kubeconfig) throws Exception {
        List<ObjectType> types = new ArrayList<>();
        try (Reader in = Files.newBufferedReader(kubeconfig)) {
            for (Discovery.APIResource resource : new Discovery(ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(in))
                    .build()).findAll()) {
                if (!BY_THEMSELVES.contains(resource.getResourcePlural()) && !resource.getResourcePlural().contains("review")) {
                    types.add(new ObjectType(resource.getGroup() == null ? "" : resource.getGroup(),
                            resource.getPreferredVersion(), resource.getResourcePlural(), resource.getKind(),
                            resource.getNamespaced() ? ObjectType.Scope.NAMESPACE : ObjectType.Scope.CLUSTER));
                }
            }
        }
        return types;
    }

    /** What the second has, lacks or has otherwise, a line each. */
    static TreeSet<String> difference(TreeMap<String, String> before, TreeMap<String, String> after) {
        TreeSet<String> differs = new TreeSet<>();
        before.forEach((name, text) -> {
            if (!after.containsKey(name)) {
                differs.add("gone: " + name);
            } else if (!after.get(name).equals(text)) {
                differs.add("changed: " + name + "\n  " + text + "\n  " + after.get(name));
            }
        });
        after.keySet().stream().filter(name -> !before.containsKey(name)).forEach(name -> differs.add("new: " + name));
        return differs;
    }
}
