package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster.Earnest;
import dev.pitwall.journey.Helm;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.site.Supply;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.consent.ClusterConsent;
import dev.pitwall.journey.change.Tree;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.journey.survey.ClusterSurveyor;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.KernelCommandLine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** A card of machine {@code worker-1}, which is a node of an RKE2 cluster in which nothing is set up for cards. */
final class CardScene {
    static final Instant NOW = Instant.parse("2026-09-01T10:00:00Z");
    static final List<Step> STEPS = OperatorSteps.all(NodeChoices.NONE);

    final PaperCluster cluster = new PaperCluster();
    final PaperHelm helm = new PaperHelm();
    final Map<String, String> choices = new TreeMap<>();
    Instant now = NOW;
    String chip = "GA107GL [RTX A1000]";
    Optional<String> host = Optional.of("worker-1");
    Optional<VmSurvey> vm = Optional.empty();

    CardScene() {
        node("server-1", "Ubuntu 24.04.3 LTS", "v1.33.5+rke2r1");
        node("worker-1", "Ubuntu 24.04.3 LTS", "v1.33.5+rke2r1");
        cluster.with(ObjectType.NAMESPACE, "{metadata: {name: default}}", "{metadata: {name: kube-system}}");
        cluster.objects.put(ObjectType.DEFINITION, new ArrayList<>());
    }

    CardScene node(String name, String system, String kubelet) {
        cluster.with(ObjectType.NODE, """
                metadata: {name: %s, labels: {kubernetes.io/hostname: %s}}
                spec: {}
                status: {nodeInfo: {osImage: "%s", kubeletVersion: %s, systemUUID: %s}, conditions: [{type: Ready, status: "True"}], capacity: {cpu: "8"}, allocatable: {cpu: "8"}}
                """.formatted(name, name, system, kubelet, name));
        return this;
    }

    /** Another distribution, on nodes that say so. */
    CardScene distribution(String version, String system) {
        cluster.version = version;
        cluster.objects.get(ObjectType.NODE).clear();
        return node("server-1", system, version).node("worker-1", system, version);
    }

    CardScene choose(String key, String value) {
        choices.put(key, value);
        return this;
    }

    ObjectNode node(String name) {
        return (ObjectNode) cluster.objects.get(ObjectType.NODE).stream()
                .filter(n -> n.at("/metadata/name").asText().equals(name)).findFirst().orElseThrow();
    }

    CardScene label(String node, String label, String value) {
        node(node).withObjectProperty("metadata").withObjectProperty("labels").put(label, value);
        return this;
    }

    CardScene taint(String node, String key, String value) {
        node(node).withObjectProperty("spec").withArrayProperty("taints").addObject().put("key", key).put("value", value)
                .put("effect", "NoSchedule");
        return this;
    }

    CardScene defines(String... names) {
        for (String name : names) {
            cluster.with(ObjectType.DEFINITION, "{metadata: {name: " + name + "}}");
        }
        return this;
    }

    /** An operator that is there, as Helm and the operator leave it. */
    CardScene operator(String version, String given) {
        defines("clusterpolicies.nvidia.com", "nvidiadrivers.nvidia.com", "nodefeatures.nfd.k8s-sigs.io",
                "nodefeaturerules.nfd.k8s-sigs.io", "nodefeaturegroups.nfd.k8s-sigs.io");
        cluster.with(ObjectType.NAMESPACE, """
                metadata:
                  name: gpu-operator
                  labels: {pod-security.kubernetes.io/enforce: privileged, pod-security.kubernetes.io/audit: privileged, pod-security.kubernetes.io/warn: privileged}
                """);
        JsonNode values = PaperCluster.yaml(given);
        helm.with("gpu-operator", "gpu-operator", "gpu-operator", version, "deployed", values);
        ObjectNode policy = (ObjectNode) PaperCluster.yaml("""
                metadata: {name: cluster-policy, creationTimestamp: "2026-05-01T00:00:00Z"}
                spec: {driver: {enabled: true}, toolkit: {enabled: true}, devicePlugin: {enabled: true}}
                status: {state: ready, namespace: gpu-operator, conditions: [{type: Ready, status: "True", reason: Reconciled}, {type: Error, status: "False", reason: Ready}]}
                """);
        policy.set("spec", Tree.over(policy.path("spec"), values));
        cluster.objects.computeIfAbsent(ObjectType.CLUSTER_POLICY, t -> new ArrayList<>()).add(policy);
        cluster.with(ObjectType.DAEMON_SET, """
                metadata: {name: gpu-operator-node-feature-discovery-worker, namespace: gpu-operator, annotations: {meta.helm.sh/release-name: gpu-operator, meta.helm.sh/release-namespace: gpu-operator}}
                spec: {template: {spec: {tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]}}}
                """);
        return this;
    }

    /** What a Helm that was cut off leaves: a newest revision that is pending, over the one that was there. */
    CardScene pending(String status, int revision, String version) {
        helm.past.clear();
        helm.past.addAll(helm.releases);
        helm.releases.clear();
        helm.releases.add(new Helm.Release("gpu-operator", "gpu-operator", revision, status, "gpu-operator", version, version,
                Instant.EPOCH));
        return this;
    }

    /** An object of which a field manager has written fields. */
    CardScene managed(ObjectType type, String name, String manager, String operation, String fields) {
        ObjectNode object = (ObjectNode) cluster.objects.get(type).stream()
                .filter(n -> n.at("/metadata/name").asText().equals(name)).findFirst().orElseThrow();
        object.withObjectProperty("metadata").withArrayProperty("managedFields").addObject().put("manager", manager)
                .put("operation", operation).put("time", "2026-08-30T10:00:00Z").set("fieldsV1", PaperCluster.yaml(fields));
        return this;
    }

    Situation situation() {
        PciAddress slot = PciAddress.parse("0000:01:00").orElseThrow();
        PciFunction card = new PciFunction(PciAddress.parse("0000:01:00.0").orElseThrow(), Optional.of("0300"),
                Optional.of("VGA compatible controller"), Optional.of("10de"), Optional.of("ffff"),
                Optional.of("NVIDIA Corporation " + chip), Optional.empty(), Optional.empty(), List.of(),
                OptionalInt.empty(), Optional.empty());
        HostSurvey machine = new HostSurvey("worker-1", Optional.empty(), "6.8.0", "boot", 1000, "GenuineIntel", true, "",
                new KernelCommandLine(KernelCommandLine.Loader.GRUB, List.of(), List.of()),
                KernelCommandLine.Loader.GRUB, List.of(), List.of(), Map.of(), List.of(card), Map.of(), Map.of(), List.of(),
                Map.of(), new TreeMap<>(), List.of(), List.of(), List.of(), Map.of());
        Situation below = new Situation(new Situation.Subject("worker-1/0000:01:00", "RTX A1000", "worker-1", slot),
                Choices.of(choices), machine, vm, Optional.empty(), Map.of());
        try {
            ClusterSurvey survey = new ClusterSurveyor(InstantSource.fixed(now)).survey(cluster, Optional.of(helm),
                    new ClusterSurveyor.Place(nodes -> below.knowing(nodes).nodeName(), Set.of()),
                    new OperatorCharts(below), Supply::usual);
            return below.knowing(survey.nodesByUuid()).with(Optional.of(survey), Optional.empty());
        } catch (TroubleException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    Answer look(String step) {
        Situation situation = situation();
        Answer answer = STEPS.stream().filter(s -> s.id().equals(step)).findFirst().orElseThrow().look(situation);
        try {
            return new ClusterConsent().judged(answer, situation, Optional.of(cluster));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** As if the cluster had taken the changes; of a chart's objects no more than its policy. */
    CardScene make(List<Change> changes) throws Exception {
        for (Change change : changes) {
            switch (change) {
                case ManifestChange c -> make(c);
                case HelmChange c -> make(c);
                default -> throw new AssertionError("not of this step: " + change);
            }
        }
        return this;
    }

    private void make(ManifestChange c) throws TroubleException {
        Optional<JsonNode> now = cluster.get(c.object());
        if (now.isPresent() != c.before().isPresent()
                || now.isPresent() && !Tree.holds(now.get(), c.before().get())) {
            throw new AssertionError("the guard would stop at " + c.object());
        }
        if (c.after().isEmpty()) {
            cluster.delete(c.object());
        } else if (now.isEmpty()) {
            cluster.create(c.object(), c.after().get(), Earnest.MAKE);
        } else {
            cluster.patch(c.object(), c.after().get(), "", Earnest.MAKE);
        }
    }

    private void make(HelmChange c) throws TroubleException {
        HelmChange.Wanted wanted = c.after().orElseThrow();
        JsonNode base = wanted.base().flatMap(number -> helm.values(c.namespace(), c.release(), number))
                .orElseGet(JsonNodeFactory.instance::objectNode);
        Helm.Order order = new Helm.Order(c.namespace(), c.release(), wanted.repository(), wanted.chart(),
                wanted.version(), Tree.over(base, wanted.values()));
        if (c.before().isEmpty()) {
            helm.install(order, Duration.ZERO, line -> { });
        } else {
            helm.upgrade(order, Duration.ZERO, line -> { });
        }
        if (wanted.chart().equals("gpu-operator") && cluster.list(ObjectType.CLUSTER_POLICY, "", "").isEmpty()) {
            cluster.create(ObjectRef.of(ObjectType.CLUSTER_POLICY, "cluster-policy"), PaperCluster.yaml(
                    "{metadata: {name: cluster-policy}, spec: " + order.values() + "}"), Earnest.MAKE);
        }
    }
}
