package dev.pitwall.journey.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;

import java.util.List;

/** An Ollama of plain objects: a disk, a Deployment and a Service, all of one name. */
final class OllamaObjects {
    private final Sentences texts;
    private final Situation situation;
    private final CardNode node;
    private final ServerWish wish;
    private final ProofData.Server data;

    OllamaObjects(Sentences texts, Situation situation, CardNode node, ServerWish wish, ProofData.Server data) {
        this.texts = texts;
        this.situation = situation;
        this.node = node;
        this.wish = wish;
        this.data = data;
    }

    List<Change> changes() {
        return List.of(made(ObjectType.VOLUME_CLAIM, disk(), texts.say("made.disk", data.storage())),
                made(ObjectType.DEPLOYMENT, deployment(), texts.say("made.deployment", data.image(), node.name())),
                made(ObjectType.SERVICE, service(), texts.say("made.service", data.port())));
    }

    private Change made(ObjectType type, ObjectNode manifest, String summary) {
        return ManifestChange.making(node.cluster().name(), new ObjectRef(type, wish.namespace(), wish.name()), manifest,
                summary);
    }

    private ObjectNode object(ObjectType type) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("apiVersion", type.apiVersion())
                .put("kind", type.kind());
        object.putObject("metadata").put("name", wish.name()).put("namespace", wish.namespace())
                .set("labels", labels());
        return object;
    }

    private ObjectNode labels() {
        return own().put(ProofPods.MANAGED_BY, ProofPods.PITWALL).put(ProofPods.CARD, CardName.of(situation.card()));
    }

    private ObjectNode own() {
        return JsonNodeFactory.instance.objectNode().put("app.kubernetes.io/name", "ollama")
                .put("app.kubernetes.io/instance", wish.name());
    }

    private ObjectNode disk() {
        ObjectNode claim = object(ObjectType.VOLUME_CLAIM);
        ObjectNode spec = claim.putObject("spec");
        spec.putArray("accessModes").add("ReadWriteOnce");
        spec.putObject("resources").putObject("requests").put("storage", data.storage());
        wish.storage().ifPresent(name -> spec.put("storageClassName", name));
        return claim;
    }

    private ObjectNode service() {
        ObjectNode service = object(ObjectType.SERVICE);
        ObjectNode spec = service.putObject("spec").put("type", "ClusterIP");
        spec.putArray("ports").addObject().put("name", "http").put("port", data.port()).put("targetPort", "http");
        spec.set("selector", own());
        return service;
    }

    private ObjectNode deployment() {
        ObjectNode deployment = object(ObjectType.DEPLOYMENT);
        ObjectNode spec = deployment.putObject("spec").put("replicas", 1);
        // A second pod would wait for the card and the disk that the first one has.
        spec.putObject("strategy").put("type", "Recreate");
        spec.putObject("selector").set("matchLabels", own());
        ObjectNode template = spec.putObject("template");
        template.putObject("metadata").set("labels", labels());
        ObjectNode pod = template.putObject("spec").put("automountServiceAccountToken", false);
        RuntimeNeed.of(situation, node).ifPresent(name -> pod.put("runtimeClassName", name));
        pod.putObject("nodeSelector").put("kubernetes.io/hostname", node.hostname());
        pod.set("tolerations", Tolerations.of(node));
        pod.putArray("containers").add(container());
        pod.putArray("volumes").addObject().put("name", "data").putObject("persistentVolumeClaim")
                .put("claimName", wish.name());
        return deployment;
    }

    private JsonNode container() {
        ObjectNode container = JsonNodeFactory.instance.objectNode().put("name", "ollama").put("image", data.image());
        container.putArray("env").addObject().put("name", "OLLAMA_HOST").put("value", "0.0.0.0:" + data.port());
        container.putArray("ports").addObject().put("name", "http").put("containerPort", data.port());
        ObjectNode resources = container.putObject("resources");
        resources.putObject("requests").put("cpu", data.cpu()).put("memory", data.memory());
        resources.putObject("limits").put(wish.resource(), "1");
        container.putArray("volumeMounts").addObject().put("name", "data").put("mountPath", "/root/.ollama");
        ObjectNode ready = container.putObject("readinessProbe").put("periodSeconds", 5);
        ready.putObject("httpGet").put("path", "/").put("port", "http");
        return container;
    }
}
