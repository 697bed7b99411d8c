package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Services with their Endpoints and EndpointSlices, which follow from the pods that are ready. */
final class Services {
    private static final Resource SERVICES = Resource.core("services");
    private static final Resource ENDPOINTS = Resource.core("endpoints");
    private static final Resource SLICES = new Resource("discovery.k8s.io", "endpointslices");

    private final Desired desired;
    private final ClusterData data;

    Services(Desired desired, ClusterData data) {
        this.desired = desired;
        this.data = data;
    }

    /** @param pods names of the pods behind it, in the same namespace; those that are ready get traffic */
    record Plan(String namespace, String name, Map<String, String> labels, Map<String, String> selector, int port,
                int targetPort, String portName, Instant created, List<String> pods) {
    }

    ObjectNode add(Plan plan) {
        ObjectNode service = desired.add(SERVICES, plan.namespace(), plan.name(), plan.created());
        Desired.labels(service, plan.labels());
        ObjectNode spec = service.putObject("spec").put("type", "ClusterIP").put("sessionAffinity", "None")
                .put("internalTrafficPolicy", "Cluster");
        String ip = data.serviceNetwork() + "." + Names.hash(plan.name()) % 250 + "."
                + (2 + Names.hash(plan.namespace() + plan.name()) % 250);
        spec.put("clusterIP", ip).putArray("clusterIPs").add(ip);
        spec.putArray("ipFamilies").add("IPv4");
        spec.put("ipFamilyPolicy", "SingleStack");
        port(spec.putArray("ports"), plan).put("port", plan.port()).put("targetPort", plan.targetPort());
        ObjectNode selector = spec.putObject("selector");
        plan.selector().forEach(selector::put);
        service.putObject("status").putObject("loadBalancer");
        endpoints(plan);
        return service;
    }

    private void endpoints(Plan plan) {
        List<ObjectNode> ready = new ArrayList<>();
        List<ObjectNode> others = new ArrayList<>();
        for (String name : plan.pods()) {
            ObjectNode pod = desired.objects().get(new ObjectKey(PodWriter.PODS, plan.namespace(), name));
            if (pod != null && !pod.at("/status/podIP").asText("").isEmpty()
                    && !pod.at("/status/phase").asText().equals("Succeeded")) {
                (isReady(pod) ? ready : others).add(pod);
            }
        }
        ObjectNode endpoints = desired.add(ENDPOINTS, plan.namespace(), plan.name(), plan.created());
        Desired.labels(endpoints, plan.labels());
        if (!ready.isEmpty() || !others.isEmpty()) {
            ObjectNode subset = endpoints.putArray("subsets").addObject();
            addresses(subset, "addresses", ready);
            addresses(subset, "notReadyAddresses", others);
            port(subset.putArray("ports"), plan).put("port", plan.targetPort());
        }
        slice(plan, ready, others);
    }

    private void slice(Plan plan, List<ObjectNode> ready, List<ObjectNode> others) {
        String name = plan.name() + "-" + Names.suffix(plan.namespace() + plan.name(), 5);
        ObjectNode slice = desired.add(SLICES, plan.namespace(), name, plan.created());
        Desired.labels(slice, Map.of("kubernetes.io/service-name", plan.name(),
                "endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"));
        slice.put("addressType", "IPv4");
        ArrayNode list = slice.putArray("endpoints");
        ready.forEach(pod -> endpoint(list, pod, true));
        others.forEach(pod -> endpoint(list, pod, false));
        port(slice.putArray("ports"), plan).put("port", plan.targetPort());
    }

    private static void endpoint(ArrayNode list, ObjectNode pod, boolean ready) {
        ObjectNode endpoint = list.addObject();
        endpoint.putArray("addresses").add(pod.at("/status/podIP").asText());
        endpoint.putObject("conditions").put("ready", ready).put("serving", ready).put("terminating", false);
        endpoint.put("nodeName", pod.at("/spec/nodeName").asText());
        target(endpoint, pod);
    }

    private static void addresses(ObjectNode subset, String field, List<ObjectNode> pods) {
        if (pods.isEmpty()) {
            return;
        }
        ArrayNode list = subset.putArray(field);
        for (ObjectNode pod : pods) {
            ObjectNode address = list.addObject().put("ip", pod.at("/status/podIP").asText())
                    .put("nodeName", pod.at("/spec/nodeName").asText());
            target(address, pod);
        }
    }

    private static void target(ObjectNode of, ObjectNode pod) {
        JsonNode metadata = pod.path("metadata");
        of.putObject("targetRef").put("kind", "Pod").put("name", metadata.path("name").asText())
                .put("namespace", metadata.path("namespace").asText()).put("uid", metadata.path("uid").asText());
    }

    private static ObjectNode port(ArrayNode ports, Plan plan) {
        ObjectNode port = ports.addObject();
        if (!plan.portName().isEmpty()) {
            port.put("name", plan.portName());
        }
        return port.put("protocol", "TCP");
    }

    private static boolean isReady(ObjectNode pod) {
        return pod.at("/status/containerStatuses/0/ready").asBoolean()
                && !pod.path("metadata").has("deletionTimestamp");
    }
}
