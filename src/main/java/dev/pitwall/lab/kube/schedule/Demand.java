package dev.pitwall.lab.kube.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Selector;
import dev.pitwall.lab.kube.control.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a pod asks of the node it runs on, besides resources.
 *
 * @param mayPreempt false for {@code preemptionPolicy: Never}
 * @param gates      names of its scheduling gates
 * @param nominated  node that lower pods are leaving for it; empty for none
 */
record Demand(List<Toleration> tolerations, NodeTerms nodes, List<PodTerm> affinity, List<PodTerm> antiAffinity,
              List<PodTerm> preferred, Set<Port> ports, List<Spread> spreads, boolean mayPreempt, List<String> gates,
              String nominated) {

    /** A port of the node; every address counts as the same. */
    record Port(String protocol, int number) {
    }

    /**
     * One term of (anti-)affinity between pods.
     *
     * @param weight of a preference, negative if it is to be kept away from; 0 for a requirement
     * @param everywhere true for an empty {@code namespaceSelector}
     */
    record PodTerm(String topologyKey, Selector labels, Set<String> namespaces, Selector namespaceLabels,
                   boolean everywhere, int weight) {
    }

    /** One topology spread constraint. */
    record Spread(String topologyKey, int maxSkew, Selector labels, boolean hard, int minDomains) {
    }

    static Demand of(PodFacts pod) {
        JsonNode tree = pod.object().tree();
        JsonNode spec = tree.path("spec");
        JsonNode near = spec.at("/affinity/podAffinity");
        JsonNode apart = spec.at("/affinity/podAntiAffinity");
        String namespace = pod.key().namespace();
        List<PodTerm> preferred = new ArrayList<>(preferred(near, namespace, 1));
        preferred.addAll(preferred(apart, namespace, -1));
        return new Demand(Toleration.of(spec.path("tolerations")), NodeTerms.of(spec), required(near, namespace),
                required(apart, namespace), List.copyOf(preferred), ports(spec), spreads(spec),
                !spec.path("preemptionPolicy").asText("").equals("Never"), gates(spec),
                tree.at("/status/nominatedNodeName").asText(""));
    }

    /** Name of the scheduler that is to place a pod. */
    static String scheduler(PodFacts pod) {
        return pod.object().tree().at("/spec/schedulerName").asText("default-scheduler");
    }

    static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new HashMap<>();
        object.properties().forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return Map.copyOf(texts);
    }

    /** True if where it can go depends on where other pods are. */
    boolean looksAtPods() {
        return !affinity.isEmpty() || !antiAffinity.isEmpty() || !spreads.isEmpty();
    }

    private static List<PodTerm> required(JsonNode kind, String namespace) {
        List<PodTerm> terms = new ArrayList<>();
        kind.path("requiredDuringSchedulingIgnoredDuringExecution").forEach(term -> terms.add(term(term, namespace, 0)));
        return List.copyOf(terms);
    }

    private static List<PodTerm> preferred(JsonNode kind, String namespace, int sign) {
        List<PodTerm> terms = new ArrayList<>();
        kind.path("preferredDuringSchedulingIgnoredDuringExecution").forEach(wish -> terms.add(
                term(wish.path("podAffinityTerm"), namespace, sign * wish.path("weight").asInt(0))));
        return terms;
    }

    private static PodTerm term(JsonNode term, String namespace, int weight) {
        Set<String> namespaces = new HashSet<>();
        term.path("namespaces").forEach(name -> namespaces.add(name.asText()));
        JsonNode selector = term.path("namespaceSelector");
        if (namespaces.isEmpty() && !selector.isObject()) {
            namespaces.add(namespace);
        }
        return new PodTerm(term.path("topologyKey").asText(), Selector.of(term.path("labelSelector")),
                Set.copyOf(namespaces), Selector.of(selector), selector.isObject() && selector.isEmpty(), weight);
    }

    private static Set<Port> ports(JsonNode spec) {
        Set<Port> ports = new HashSet<>();
        boolean ofHost = spec.path("hostNetwork").asBoolean(false);
        for (JsonNode container : spec.path("containers")) {
            for (JsonNode port : container.path("ports")) {
                int number = port.path("hostPort").asInt(ofHost ? port.path("containerPort").asInt(0) : 0);
                if (number > 0) {
                    ports.add(new Port(port.path("protocol").asText("TCP"), number));
                }
            }
        }
        return Set.copyOf(ports);
    }

    private static List<Spread> spreads(JsonNode spec) {
        List<Spread> spreads = new ArrayList<>();
        for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
            spreads.add(new Spread(constraint.path("topologyKey").asText(), constraint.path("maxSkew").asInt(1),
                    Selector.of(constraint.path("labelSelector")),
                    constraint.path("whenUnsatisfiable").asText("DoNotSchedule").equals("DoNotSchedule"),
                    constraint.path("minDomains").asInt(1)));
        }
        return List.copyOf(spreads);
    }

    private static List<String> gates(JsonNode spec) {
        List<String> gates = new ArrayList<>();
        spec.path("schedulingGates").forEach(gate -> gates.add(gate.path("name").asText()));
        return List.copyOf(gates);
    }
}
