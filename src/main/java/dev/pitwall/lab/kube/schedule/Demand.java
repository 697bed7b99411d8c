package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.NodeTerms;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.object.Selector;
import dev.pitwall.lab.kube.object.Texts;
import dev.pitwall.lab.kube.object.Toleration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a pod asks of the node it runs on, besides resources.
 *
 * @param mayPreempt false for {@code preemptionPolicy: Never}
 * @param gates      names of its scheduling gates
 * @param nominated  node that lower pods are leaving for it; empty for none
 */
record Demand(List<Toleration> tolerations, NodeTerms nodes, List<PodTerm> affinity, List<PodTerm> antiAffinity,
              List<PodTerm> preferred, Set<Port> ports, List<Spread> spreads, List<Claim> claims,
              boolean mayPreempt, List<String> gates, String nominated) {

    /** A port of the node. @param address {@code 0.0.0.0} for every one of the node */
    record Port(String protocol, String address, int number) {
        private static final String EVERY = "0.0.0.0";

        /** True if not both can be had on one node. */
        boolean clashes(Port other) {
            return number == other.number && protocol.equals(other.protocol) && (address.equals(other.address)
                    || address.equals(EVERY) || other.address.equals(EVERY));
        }
    }

    /** A claim that a volume of the pod names. @param ephemeral true if the claim is made for the pod */
    record Claim(String name, boolean ephemeral) {
    }

    /**
     * One term of (anti-)affinity between pods.
     *
     * @param weight of a preference, negative if it is to be kept away from; 0 for a requirement
     * @param everywhere true for an empty {@code namespaceSelector}
     * @param looksAtNamespaces true if there is a {@code namespaceSelector}
     */
    record PodTerm(String topologyKey, Selector labels, Set<String> namespaces, Selector namespaceLabels,
                   boolean everywhere, boolean looksAtNamespaces, int weight) {
    }

    /**
     * One topology spread constraint.
     *
     * @param honoursAffinity {@code nodeAffinityPolicy}: only nodes that the pod accepts count
     * @param honoursTaints   {@code nodeTaintsPolicy}: only nodes whose taints the pod tolerates count
     */
    record Spread(String topologyKey, int maxSkew, Selector labels, boolean hard, int minDomains,
                  boolean honoursAffinity, boolean honoursTaints) {
    }

    static Demand of(PodFacts pod) {
        JsonNode tree = pod.object().tree();
        JsonNode spec = tree.path("spec");
        JsonNode near = spec.at("/affinity/podAffinity");
        JsonNode apart = spec.at("/affinity/podAntiAffinity");
        List<PodTerm> preferred = new ArrayList<>(preferred(near, pod, 1));
        preferred.addAll(preferred(apart, pod, -1));
        return new Demand(Toleration.of(spec.path("tolerations")), NodeTerms.of(spec), required(near, pod),
                required(apart, pod), List.copyOf(preferred), ports(spec), spreads(spec, pod),
                claims(spec, pod.key().name()), !spec.path("preemptionPolicy").asText("").equals("Never"), gates(spec),
                tree.at("/status/nominatedNodeName").asText(""));
    }

    /** Name of the scheduler that is to place a pod. */
    static String scheduler(PodFacts pod) {
        return pod.object().tree().at("/spec/schedulerName").asText("default-scheduler");
    }

    /** True if where it can go depends on where other pods are. */
    boolean looksAtPods() {
        return !affinity.isEmpty() || !antiAffinity.isEmpty() || !preferred.isEmpty() || !spreads.isEmpty();
    }

    private static List<PodTerm> required(JsonNode kind, PodFacts pod) {
        List<PodTerm> terms = new ArrayList<>();
        kind.path("requiredDuringSchedulingIgnoredDuringExecution").forEach(term -> terms.add(term(term, pod, 0)));
        return List.copyOf(terms);
    }

    private static List<PodTerm> preferred(JsonNode kind, PodFacts pod, int sign) {
        List<PodTerm> terms = new ArrayList<>();
        kind.path("preferredDuringSchedulingIgnoredDuringExecution").forEach(wish -> terms.add(
                term(wish.path("podAffinityTerm"), pod, sign * wish.path("weight").asInt(0))));
        return terms;
    }

    private static PodTerm term(JsonNode term, PodFacts pod, int weight) {
        Set<String> namespaces = new HashSet<>(Texts.list(term.path("namespaces")));
        JsonNode selector = term.path("namespaceSelector");
        if (namespaces.isEmpty() && !selector.isObject()) {
            namespaces.add(pod.key().namespace());
        }
        return new PodTerm(term.path("topologyKey").asText(), selector(term, pod),
                Set.copyOf(namespaces), Selector.of(selector), selector.isObject() && selector.isEmpty(),
                selector.isObject(), weight);
    }

    private static Set<Port> ports(JsonNode spec) {
        Set<Port> ports = new HashSet<>();
        boolean ofHost = spec.path("hostNetwork").asBoolean(false);
        for (JsonNode container : spec.path("containers")) {
            for (JsonNode port : container.path("ports")) {
                int number = port.path("hostPort").asInt(ofHost ? port.path("containerPort").asInt(0) : 0);
                if (number > 0) {
                    ports.add(new Port(port.path("protocol").asText("TCP"), address(port), number));
                }
            }
        }
        return Set.copyOf(ports);
    }

    private static String address(JsonNode port) {
        String address = port.path("hostIP").asText("");
        return address.isEmpty() ? Port.EVERY : address;
    }

    private static List<Claim> claims(JsonNode spec, String pod) {
        List<Claim> claims = new ArrayList<>();
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.has("persistentVolumeClaim")) {
                claims.add(new Claim(volume.at("/persistentVolumeClaim/claimName").asText(), false));
            } else if (volume.has("ephemeral")) {
                claims.add(new Claim(pod + "-" + volume.path("name").asText(), true));
            }
        }
        return List.copyOf(claims);
    }

    private static List<Spread> spreads(JsonNode spec, PodFacts pod) {
        List<Spread> spreads = new ArrayList<>();
        for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
            spreads.add(new Spread(constraint.path("topologyKey").asText(), constraint.path("maxSkew").asInt(1),
                    selector(constraint, pod),
                    constraint.path("whenUnsatisfiable").asText("DoNotSchedule").equals("DoNotSchedule"),
                    constraint.path("minDomains").asInt(1),
                    !constraint.path("nodeAffinityPolicy").asText("").equals("Ignore"),
                    constraint.path("nodeTaintsPolicy").asText("").equals("Honor")));
        }
        return List.copyOf(spreads);
    }

    /**
     * The label selector of a term, with the pod's own values of {@code matchLabelKeys} and
     * {@code mismatchLabelKeys} in it. [KEP-3633, KEP-3243]
     */
    private static Selector selector(JsonNode term, PodFacts pod) {
        JsonNode labels = term.path("labelSelector");
        if (!labels.isObject() || term.path("matchLabelKeys").isEmpty() && term.path("mismatchLabelKeys").isEmpty()) {
            return Selector.of(labels);
        }
        ObjectNode merged = labels.deepCopy();
        merge(merged, term.path("matchLabelKeys"), "In", pod);
        merge(merged, term.path("mismatchLabelKeys"), "NotIn", pod);
        return Selector.of(merged);
    }

    private static void merge(ObjectNode selector, JsonNode keys, String operator, PodFacts pod) {
        for (JsonNode key : keys) {
            if (pod.labels().containsKey(key.asText())) {
                selector.withArrayProperty("matchExpressions").addObject().put("key", key.asText())
                        .put("operator", operator).putArray("values").add(pod.labels().get(key.asText()));
            }
        }
    }

    private static List<String> gates(JsonNode spec) {
        List<String> gates = new ArrayList<>();
        spec.path("schedulingGates").forEach(gate -> gates.add(gate.path("name").asText()));
        return List.copyOf(gates);
    }
}
