package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.store.Json;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Who a pod of a StatefulSet is: its name, its labels and its claims stay the same, whichever pod it is. */
final class StatefulPod {
    private static final String NAME = "statefulset.kubernetes.io/pod-name";
    private static final String INDEX = "apps.kubernetes.io/pod-index";

    private StatefulPod() {
    }

    /** @param revision name of the revision that the template is of */
    static ObjectNode draft(StatefulSpec spec, JsonNode template, String revision, int ordinal, Owner owner) {
        ObjectNode pod = PodMaker.draft(template, owner);
        String name = spec.podName(ordinal);
        pod.withObjectProperty("metadata").put("generateName", spec.name() + "-");
        identify(pod, name, ordinal);
        pod.withObjectProperty("metadata").withObjectProperty("labels").put(Revisions.POD_HASH, revision);
        ObjectNode podSpec = pod.withObjectProperty("spec");
        podSpec.put("hostname", name);
        if (!spec.tree().path("serviceName").asText("").isEmpty()) {
            podSpec.put("subdomain", spec.tree().path("serviceName").asText());
        }
        volumes(spec, podSpec, ordinal);
        return pod;
    }

    static void identify(ObjectNode pod, String name, int ordinal) {
        pod.withObjectProperty("metadata").withObjectProperty("labels").put(NAME, name)
                .put(INDEX, Integer.toString(ordinal));
    }

    static boolean isIdentified(PodFacts pod, int ordinal) {
        Map<String, String> labels = pod.labels();
        return pod.key().name().equals(labels.get(NAME)) && Integer.toString(ordinal).equals(labels.get(INDEX));
    }

    /** Name of a pod's revision; empty if it has none. */
    static String revision(PodFacts pod) {
        return pod.labels().getOrDefault(Revisions.POD_HASH, "");
    }

    static String claimName(JsonNode claimTemplate, String podName) {
        return claimTemplate.at("/metadata/name").asText() + "-" + podName;
    }

    /** A volume for each claim; one of the template's that has its name gives way. */
    private static void volumes(StatefulSpec spec, ObjectNode podSpec, int ordinal) {
        JsonNode templates = spec.tree().path("volumeClaimTemplates");
        if (templates.isEmpty()) {
            return;
        }
        ArrayNode volumes = Json.object().putArray("volumes");
        Set<String> claimed = new HashSet<>();
        for (JsonNode template : templates) {
            String name = template.at("/metadata/name").asText();
            claimed.add(name);
            volumes.addObject().put("name", name).putObject("persistentVolumeClaim")
                    .put("claimName", claimName(template, spec.podName(ordinal)));
        }
        podSpec.path("volumes").forEach(volume -> {
            if (!claimed.contains(volume.path("name").asText())) {
                volumes.add(volume);
            }
        });
        podSpec.set("volumes", volumes);
    }
}
