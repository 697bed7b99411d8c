package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.object.Finalizers;
import dev.pitwall.lab.kube.object.QosClass;
import dev.pitwall.lab.kube.rules.JobIdentity;
import dev.pitwall.lab.kube.rules.Problem;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.ObjectStore;
import dev.pitwall.lab.kube.store.Resource;

import dev.pitwall.lab.kube.store.Timestamp;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the API server writes into an object of some kinds on its own: names, labels, addresses, first status. */
final class Preparation {
    private final Addresses addresses;
    private final ObjectStore store;
    private final ServiceAccountTokens tokens;
    private final InstantSource clock;

    Preparation(ObjectStore store, ServiceAccountTokens tokens, InstantSource clock) {
        this.store = store;
        this.tokens = tokens;
        this.addresses = new Addresses(store);
        this.clock = clock;
    }

    /** Before defaults: what a client cannot choose. */
    void beforeCreate(ResourceType type, ObjectNode object) {
        if (type.subresources().contains("status")) {
            object.remove("status");
        }
        switch (type.qualifiedKind()) {
            case "Namespace" -> {
                ArrayNode finalizers = object.withObjectProperty("spec").withArrayProperty("finalizers");
                if (finalizers.isEmpty()) {
                    finalizers.add("kubernetes");
                }
            }
            case "Job.batch" -> JobIdentity.give(object);
            case "Secret" -> stringData(object);
            case "CustomResourceDefinition.apiextensions.k8s.io" -> definition(object);
            default -> { }
        }
        always(type, object);
    }

    /** After defaults and admission: what follows from the whole object. */
    void afterAdmission(ResourceType type, ObjectNode object) {
        switch (type.qualifiedKind()) {
            case "Pod" -> object.putObject("status").put("phase", "Pending")
                    .put("qosClass", QosClass.of(object.path("spec")).name());
            case "Service" -> {
                addresses.allocate(object);
                object.putObject("status").putObject("loadBalancer");
            }
            case "Secret" -> accountToken(object);
            case "PersistentVolumeClaim", "PersistentVolume" -> object.putObject("status").put("phase", "Pending");
            case "StatefulSet.apps" -> object.putObject("status").put("replicas", 0).put("availableReplicas", 0);
            case "ReplicaSet.apps" -> object.putObject("status").put("replicas", 0);
            case "DaemonSet.apps" -> object.putObject("status").put("currentNumberScheduled", 0)
                    .put("numberMisscheduled", 0).put("desiredNumberScheduled", 0).put("numberReady", 0);
            default -> { }
        }
    }

    void beforeUpdate(Target target, ObjectNode object, ObjectNode before) {
        ResourceType type = target.type();
        switch (type.qualifiedKind()) {
            case "Namespace" -> {
                // Only its own subresource takes finalizers off.
                if (!target.subresource().equals("finalize") && before.has("spec")) {
                    object.set("spec", before.get("spec"));
                }
            }
            case "Secret" -> stringData(object);
            case "Service" -> keepAddress(object, before);
            case "CustomResourceDefinition.apiextensions.k8s.io" -> CustomTypes.establish(object, now());
            default -> { }
        }
        always(type, object);
    }

    void afterUpdate(ResourceType type, ObjectNode object) {
        if (type.qualifiedKind().equals("Service")) {
            addresses.allocate(object);
        }
    }

    /** A secret that asks for a service account's token gets one that does not end. */
    private void accountToken(ObjectNode secret) {
        JsonNode name = secret.path("metadata").path("annotations").path("kubernetes.io/service-account.name");
        String namespace = secret.at("/metadata/namespace").asText();
        if (!secret.path("type").asText().equals("kubernetes.io/service-account-token") || !name.isTextual()) {
            return;
        }
        store.find(new ObjectKey(Resource.SERVICE_ACCOUNTS, namespace, name.asText())).ifPresent(account -> {
            ObjectNode data = secret.withObjectProperty("data");
            data.put("token", base64(tokens.token(account, List.of(), Optional.empty())));
            data.put("namespace", base64(namespace));
            secret.withObjectProperty("metadata").withObjectProperty("annotations")
                    .put("kubernetes.io/service-account.uid", account.uid());
        });
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void always(ResourceType type, ObjectNode object) {
        if (type.qualifiedKind().equals("Namespace")) {
            object.withObjectProperty("metadata").withObjectProperty("labels").put("kubernetes.io/metadata.name",
                    object.at("/metadata/name").asText());
        }
    }

    private String now() {
        return Timestamp.of(clock.instant());
    }

    private static void stringData(ObjectNode secret) {
        JsonNode texts = secret.remove("stringData");
        if (texts != null) {
            ObjectNode data = secret.withObjectProperty("data");
            texts.properties().forEach(entry -> data.put(entry.getKey(), base64(entry.getValue().asText())));
        }
    }

    private void definition(ObjectNode definition) {
        ObjectNode spec = definition.withObjectProperty("spec");
        ObjectNode names = spec.withObjectProperty("names");
        String wanted = names.path("plural").asText() + "." + spec.path("group").asText();
        String name = definition.at("/metadata/name").asText();
        if (!name.equals(wanted)) {
            throw ApiFailure.invalid("apiextensions.k8s.io", "CustomResourceDefinition", name, List.of(
                    Problem.invalid("metadata.name", Problem.quoted(name), "must be spec.names.plural+\".\"+spec.group")));
        }
        String kind = names.path("kind").asText();
        if (!names.has("singular")) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (!names.has("listKind")) {
            names.put("listKind", kind + "List");
        }
        if (!spec.has("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
        Finalizers.add(definition, Definitions.CLEANUP);
        CustomTypes.establish(definition, now());
    }

    /** An update that leaves the address out keeps it, unless the service becomes a name only. */
    private static void keepAddress(ObjectNode service, ObjectNode before) {
        ObjectNode spec = service.withObjectProperty("spec");
        if (spec.path("type").asText("ClusterIP").equals("ExternalName")) {
            spec.remove(List.of("clusterIP", "clusterIPs"));
            return;
        }
        for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            if (!spec.has(field) && before.path("spec").has(field)) {
                spec.set(field, before.path("spec").get(field));
            }
        }
        for (JsonNode port : spec.path("ports")) {
            for (JsonNode old : before.at("/spec/ports")) {
                boolean same = port.path("port").equals(old.path("port"))
                        && port.path("protocol").asText("TCP").equals(old.path("protocol").asText("TCP"));
                if (same && port instanceof ObjectNode open && !open.has("nodePort") && old.has("nodePort")
                        && !spec.path("type").asText("ClusterIP").equals("ClusterIP")) {
                    open.set("nodePort", old.get("nodePort"));
                }
            }
        }
    }
}
