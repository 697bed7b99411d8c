package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.StackNames;
import dev.pitwall.site.Supply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The site as a cure finds it: its cluster, and what of it the finding is about. Everything is read when it is asked for.
 *
 * @param finding  what is to be cured
 * @param systems  the ways into the site
 * @param cluster  the site's cluster
 * @param machines the machines of its nodes
 */
record Patient(Finding finding, Systems systems, Cluster cluster, NodeMachines machines) {
    private static final ObjectType NOTEBOOK = ObjectType.namespaced("kubeflow.org", "v1", "notebooks", "Notebook");

    /** The ClusterPolicy that counts: one that is ignored says so. */
    Optional<JsonNode> policy() throws TroubleException, InterruptedException {
        List<JsonNode> all = cluster.list(ObjectType.CLUSTER_POLICY, "", "");
        return all.stream().filter(p -> !p.at("/status/state").asText().equals("ignored")).findFirst()
                .or(() -> all.stream().findFirst());
    }

    static ObjectRef ref(ObjectType type, JsonNode object) {
        return new ObjectRef(type, object.at("/metadata/namespace").asText(""), object.at("/metadata/name").asText());
    }

    /** The namespaces of the stack. */
    Set<String> namespaces() throws TroubleException, InterruptedException {
        return StackNames.namespaces(releases(), cluster.list(ObjectType.CLUSTER_POLICY, "", ""),
                cluster.list(ObjectType.DAEMON_SET, "", ""));
    }

    private List<Helm.Release> releases() throws TroubleException, InterruptedException {
        Optional<Helm> helm = systems.helm();
        return helm.isPresent() ? helm.get().releases() : List.of();
    }

    /** The namespace that the operator itself is in. */
    String operatorNamespace() throws TroubleException, InterruptedException {
        Optional<String> said = policy().map(p -> p.at("/status/namespace").asText("")).filter(n -> !n.isEmpty());
        return said.isPresent() ? said.get() : operator().map(Helm.Release::namespace).orElse(StackNames.USUAL_NAMESPACE);
    }

    private Optional<Helm.Release> operator() throws TroubleException, InterruptedException {
        return releases().stream().filter(r -> r.chart().equals(StackNames.OPERATOR) && !r.status().equals("uninstalled"))
                .findFirst();
    }

    /** Objects of the stack's namespaces whose name has this. */
    List<JsonNode> named(ObjectType type, Pattern name) throws TroubleException, InterruptedException {
        List<JsonNode> found = new ArrayList<>();
        for (String namespace : namespaces()) {
            cluster.list(type, namespace, "").stream().filter(o -> name.matcher(o.at("/metadata/name").asText()).find())
                    .forEach(found::add);
        }
        return found;
    }

    /** The nodes of the finding; where it names none that is in the cluster, all that have cards. */
    List<JsonNode> nodes() throws TroubleException, InterruptedException {
        List<JsonNode> all = cluster.list(ObjectType.NODE, "", "");
        List<JsonNode> meant = all.stream().filter(n -> finding.nodes().contains(n.at("/metadata/name").asText())).toList();
        return meant.isEmpty() ? all.stream().filter(Patient::hasCard).toList() : meant;
    }

    /** All nodes that have cards, whatever the finding is about. */
    List<JsonNode> cardNodes() throws TroubleException, InterruptedException {
        return cluster.list(ObjectType.NODE, "", "").stream().filter(Patient::hasCard).toList();
    }

    private static boolean hasCard(JsonNode node) {
        return Stream.of("/status/capacity", "/metadata/labels").flatMap(part -> node.at(part).properties().stream())
                .map(Map.Entry::getKey).anyMatch(key -> key.startsWith("nvidia.com/gpu") || key.contains("pci-10de")
                        || key.matches(".*/pci-\\d+_10de.*"));
    }

    Set<String> nodeNames() throws TroubleException, InterruptedException {
        Set<String> names = new TreeSet<>();
        nodes().forEach(node -> names.add(node.at("/metadata/name").asText()));
        return names;
    }

    /** Pods that are on the nodes of the finding, or wait for one. */
    List<JsonNode> pods() throws TroubleException, InterruptedException {
        List<JsonNode> pods = new ArrayList<>(cluster.picked(ObjectType.POD, "", "spec.nodeName="));
        for (String node : nodeNames()) {
            pods.addAll(cluster.picked(ObjectType.POD, "", "spec.nodeName=" + node));
        }
        return pods;
    }

    List<JsonNode> notebooks() throws TroubleException, InterruptedException {
        return cluster.list(NOTEBOOK, "", "");
    }

    static ObjectType notebookType() {
        return NOTEBOOK;
    }

    /** What the operator's release was given for a value, else its chart's default; empty where neither is known. */
    Optional<String> chartValue(String path) throws TroubleException, InterruptedException {
        Optional<Helm.Release> release = operator();
        if (release.isEmpty()) {
            return Optional.empty();
        }
        Helm helm = systems.helm().orElseThrow();
        String pointer = "/" + path.replace('.', '/');
        Optional<String> given = helm.values(release.get().namespace(), release.get().name(), release.get().revision())
                .map(v -> v.at(pointer).asText("")).filter(v -> !v.isEmpty());
        return given.isPresent() ? given : Optional.of(helm.chart(systems.address(Supply.OPERATOR_CHARTS),
                release.get().chart(), release.get().chartVersion()).values().at(pointer).asText("")).filter(v -> !v.isEmpty());
    }

    Optional<String> operatorVersion() throws TroubleException, InterruptedException {
        return operator().map(Helm.Release::appVersion).filter(v -> !v.isEmpty());
    }

    /** RKE2 and k3s have containerd's socket in a place of their own (facts: cluster.md 5). */
    String containerdSocket() throws TroubleException, InterruptedException {
        boolean rancher = cluster.list(ObjectType.NODE, "", "").stream()
                .anyMatch(n -> n.at("/status/nodeInfo/kubeletVersion").asText().matches(".*\\+(?:rke2|k3s).*"));
        return rancher ? "/run/k3s/containerd/containerd.sock" : "/run/containerd/containerd.sock";
    }
}
