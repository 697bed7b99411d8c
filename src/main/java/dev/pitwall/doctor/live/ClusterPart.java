package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.YamlText;
import dev.pitwall.journey.survey.StackNames;
import dev.pitwall.site.Together;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cluster: objects as its API gives them. Of pods those on nodes with cards, those that wait for a node, and those of
 * the stack; of events the warnings, and all of the stack's namespaces. Logs only of containers that are not well.
 */
final class ClusterPart implements LiveEvidence.Part {
    /** Of the whole cluster, or few in all of it. */
    private static final List<ObjectType> EVERYWHERE = List.of(ObjectType.NODE, ObjectType.NAMESPACE,
            ObjectType.DAEMON_SET, ObjectType.CLUSTER_POLICY, ObjectType.NVIDIA_DRIVER, ObjectType.RUNTIME_CLASS,
            ObjectType.RESOURCE_QUOTA, ObjectType.LIMIT_RANGE, ObjectType.KYVERNO_POLICY,
            ObjectType.namespaced("kubeflow.org", "v1", "notebooks", "Notebook"));
    private static final List<ObjectType> OF_STACK = List.of(ObjectType.DEPLOYMENT, ObjectType.CONFIG_MAP,
            ObjectType.POD, ObjectType.EVENT,
            ObjectType.namespaced("nfd.k8s-sigs.io", "v1alpha1", "nodefeatures", "NodeFeature"));
    private static final Map<String, ObjectType> MAKERS = Map.of("DaemonSet", ObjectType.DAEMON_SET,
            "ReplicaSet", ObjectType.namespaced("apps", "v1", "replicasets", "ReplicaSet"),
            "StatefulSet", ObjectType.namespaced("apps", "v1", "statefulsets", "StatefulSet"));
    private static final List<String> DEFINITIONS = List.of("clusterpolicies.nvidia.com", "nvidiadrivers.nvidia.com");

    private final Systems systems;
    private final Places places;

    ClusterPart(Systems systems, Places places) {
        this.systems = systems;
        this.places = places;
    }

    @Override
    public void gather(Gathered found) throws InterruptedException {
        found.trying(() -> {
            Optional<Cluster> cluster = systems.cluster();
            if (cluster.isPresent()) {
                // A cluster that is silent is told once.
                cluster.get().version();
                new Reading(cluster.get(), found).all();
            }
        });
    }

    /** One look. */
    private final class Reading {
        private final Cluster cluster;
        private final Gathered found;
        private final Map<String, JsonNode> pods = new TreeMap<>();
        private final Map<String, List<JsonNode>> events = new TreeMap<>();
        private final Map<ObjectType, List<JsonNode>> whole = new TreeMap<>(
                (one, other) -> one.resource().compareTo(other.resource()));

        Reading(Cluster cluster, Gathered found) {
            this.cluster = cluster;
            this.found = found;
        }

        void all() throws TroubleException, InterruptedException {
            List<Helm.Release> releases = new ArrayList<>();
            List<Callable<Boolean>> first = new ArrayList<>(EVERYWHERE.stream().map(type -> asking(() -> keep(type))).toList());
            first.add(asking(() -> releases.addAll(releases())));
            DEFINITIONS.forEach(name -> first.add(asking(() -> definition(name))));
            Together.all(first);
            Set<String> namespaces = stack(releases);
            List<Callable<Boolean>> second = new ArrayList<>();
            namespaces.forEach(namespace -> OF_STACK.forEach(type -> second.add(asking(() -> ofStack(type, namespace)))));
            nodes().forEach(node -> second.add(asking(() -> pods(cluster.picked(ObjectType.POD, "", "spec.nodeName=" + node)))));
            second.add(asking(() -> pods(cluster.picked(ObjectType.POD, "", "spec.nodeName="))));
            second.add(asking(() -> events("kubectl get events -A --field-selector type=Warning",
                    cluster.picked(ObjectType.EVENT, "", "type=Warning"))));
            releases.stream().filter(r -> namespaces.contains(r.namespace())).forEach(release ->
                    second.add(asking(() -> values(release))));
            Together.all(second);
            show("kubectl get pods -A", List.copyOf(pods.values()));
            PastEvents past = new PastEvents(pods.values(), makers());
            events.forEach((command, some) -> show(command, past.without(some)));
            new PodLogs(cluster, found, places, namespaces).read(pods.values(), whole.getOrDefault(ObjectType.NODE, List.of()));
        }

        private Callable<Boolean> asking(Gathered.Question question) {
            return () -> {
                found.trying(question);
                return true;
            };
        }

        private void show(String command, List<JsonNode> objects) {
            if (!objects.isEmpty()) {
                found.add(Document.objects(command, objects));
            }
        }

        private void keep(ObjectType type) throws TroubleException, InterruptedException {
            List<JsonNode> all = cluster.list(type, "", "");
            synchronized (whole) {
                whole.put(type, all);
            }
            show("kubectl get " + type.resource() + " -A", all);
        }

        private void definition(String name) throws TroubleException, InterruptedException {
            cluster.get(ObjectRef.of(ObjectType.DEFINITION, name))
                    .ifPresent(crd -> show("kubectl get crd " + name, List.of(crd)));
        }

        private List<Helm.Release> releases() throws TroubleException, InterruptedException {
            Optional<Helm> helm = systems.helm();
            List<Helm.Release> all = helm.isPresent() ? helm.get().releases() : List.of();
            if (!all.isEmpty()) {
                found.add(Document.text("helm list -A", Hint.COMMAND_OUTPUT, About.NOTHING, all.stream().map(r -> r.name()
                        + "\t" + r.namespace() + "\t" + r.revision() + "\t" + r.updated() + "\t" + r.status() + "\t"
                        + r.chart() + "-" + r.chartVersion() + "\t" + r.appVersion() + "\n").collect(Collectors.joining())));
            }
            return all;
        }

        private Set<String> stack(List<Helm.Release> releases) {
            Set<String> namespaces = new TreeSet<>(StackNames.namespaces(releases,
                    whole.getOrDefault(ObjectType.CLUSTER_POLICY, List.of()),
                    whole.getOrDefault(ObjectType.DAEMON_SET, List.of())));
            namespaces.retainAll(whole.getOrDefault(ObjectType.NAMESPACE, List.of()).stream()
                    .map(n -> n.at("/metadata/name").asText()).collect(Collectors.toSet()));
            return namespaces;
        }

        /** Nodes that have cards by what they say themselves, and those that cards were found to belong to. */
        private Set<String> nodes() {
            Set<String> names = new TreeSet<>(places.cardNodes());
            whole.getOrDefault(ObjectType.NODE, List.of()).stream().filter(Reading::hasCard)
                    .map(node -> node.at("/metadata/name").asText()).forEach(names::add);
            return names;
        }

        private static boolean hasCard(JsonNode node) {
            return Stream.of("/status/capacity", "/metadata/labels").flatMap(part -> node.at(part).properties().stream())
                    .anyMatch(field -> field.getKey().startsWith("nvidia.com/")
                            || field.getKey().contains("/pci-") && field.getKey().contains("10de"));
        }

        private void ofStack(ObjectType type, String namespace) throws TroubleException, InterruptedException {
            List<JsonNode> all = cluster.list(type, namespace, "");
            if (type.equals(ObjectType.POD)) {
                pods(all);
            } else if (type.equals(ObjectType.EVENT)) {
                events("kubectl get events -n " + namespace, all);
            } else {
                show("kubectl get " + type.resource() + " -n " + namespace, all);
            }
        }

        private void pods(List<JsonNode> some) {
            synchronized (pods) {
                some.forEach(pod -> pods.put(pod.at("/metadata/namespace").asText() + "/" + pod.at("/metadata/name").asText(), pod));
            }
        }

        private void events(String command, List<JsonNode> some) {
            synchronized (events) {
                events.put(command, some);
            }
        }

        /** Those whose pods were refused, by UID, as they are now. */
        private Map<String, Optional<JsonNode>> makers() throws InterruptedException {
            Map<String, JsonNode> refused = new TreeMap<>();
            events.values().stream().flatMap(List::stream).filter(PastEvents::isRefusal).map(e -> e.path("involvedObject"))
                    .filter(maker -> MAKERS.containsKey(maker.path("kind").asText()))
                    .forEach(maker -> refused.put(maker.path("uid").asText(), maker));
            Map<String, Optional<JsonNode>> now = new TreeMap<>();
            for (Map.Entry<String, JsonNode> maker : refused.entrySet()) {
                found.trying(() -> now.put(maker.getKey(), cluster.get(new ObjectRef(MAKERS.get(maker.getValue().path("kind").asText()),
                                maker.getValue().path("namespace").asText(), maker.getValue().path("name").asText()))
                        .filter(object -> object.at("/metadata/uid").asText().equals(maker.getKey()))));
            }
            return now;
        }

        private void values(Helm.Release release) throws TroubleException, InterruptedException {
            Optional<Helm> helm = systems.helm();
            if (helm.isPresent()) {
                helm.get().values(release.namespace(), release.name(), release.revision()).filter(v -> !v.isEmpty())
                        .ifPresent(values -> found.add(Document.text("helm get values " + release.name() + " -n "
                                + release.namespace(), Hint.HELM_VALUES, About.NOTHING, YamlText.of(values))));
            }
        }
    }
}
