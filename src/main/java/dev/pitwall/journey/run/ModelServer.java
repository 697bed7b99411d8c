package dev.pitwall.journey.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Cluster.Verb;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** An Ollama behind a Service, asked through the API server (facts: models.md 5.1, 5.2). */
final class ModelServer {
    private static final JsonMapper JSON = new JsonMapper();

    private final Cluster cluster;
    private final ObjectRef service;
    private final String port;

    ModelServer(Cluster cluster, ObjectRef service, int port) {
        this.cluster = cluster;
        this.service = service;
        this.port = String.valueOf(port);
    }

    /** Waits until it answers. */
    void awake(Patience patience, Duration limit) throws TroubleException, InterruptedException {
        Instant end = patience.in(limit);
        Patience.Looks looks = patience.looks();
        while (true) {
            try {
                cluster.ask(service, port, "api/version", Optional.empty());
                return;
            } catch (TroubleException e) {
                if (Lost.is(e.trouble())) {
                    throw e;
                }
                if (patience.past(end)) {
                    throw Refusal.failed(service.toString(), "it does not answer since " + Spans.words(limit) + waits(),
                            "See what its pod waits for, then run it again.");
                }
            }
            looks.untilNext();
        }
    }

    /** What the scheduler or the kubelet says of its pod. */
    private String waits() throws TroubleException, InterruptedException {
        Optional<JsonNode> found = cluster.get(service);
        if (found.isEmpty()) {
            return ": there is no such service";
        }
        String labels = found.get().at("/spec/selector").propertyStream()
                .map(label -> label.getKey() + "=" + label.getValue().asText()).reduce((a, b) -> a + "," + b).orElse("");
        List<JsonNode> pods = labels.isEmpty() ? List.of() : cluster.list(ObjectType.POD, service.namespace(), labels);
        return pods.isEmpty() ? ": it has no pod" : pods.stream().map(ModelServer::waits).filter(w -> !w.isEmpty())
                .findFirst().orElse("");
    }

    private static String waits(JsonNode pod) {
        for (JsonNode condition : pod.at("/status/conditions")) {
            if (condition.path("status").asText().equals("False") && !condition.path("message").asText("").isEmpty()) {
                JsonNode waiting = pod.at("/status/containerStatuses/0/state/waiting");
                return ": " + (waiting.path("reason").asText("").isEmpty() ? condition.path("message").asText()
                        : waiting.path("reason").asText() + " " + waiting.path("message").asText(""));
            }
        }
        return "";
    }

    boolean has(String model) throws TroubleException, InterruptedException {
        return entries("api/tags").stream().anyMatch(m -> m.path("name").asText().equals(name(model)));
    }

    /** A model in memory. */
    Optional<JsonNode> loaded(String model) throws TroubleException, InterruptedException {
        return entries("api/ps").stream().filter(m -> m.path("name").asText().equals(name(model))).findFirst();
    }

    /** Ollama names what has no tag by its latest. */
    private static String name(String model) {
        return model.indexOf(':', model.lastIndexOf('/') + 1) < 0 ? model + ":latest" : model;
    }

    private List<JsonNode> entries(String path) throws TroubleException, InterruptedException {
        JsonNode answer = read(cluster.ask(service, port, path, Optional.empty()));
        return StreamSupport.stream(answer.path("models").spliterator(), false).toList();
    }

    /** Errors come inside a stream that began well, so its last line decides. A pull that was cut off goes on. */
    void pull(String model) throws TroubleException, InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("model", model).put("stream", true);
        String stream = cluster.ask(service, port, "api/pull", Optional.of(body.toString()));
        JsonNode last = read(stream.lines().filter(l -> !l.isBlank()).reduce((a, b) -> b).orElse("{}"));
        if (last.has("error")) {
            throw Refusal.failed("model " + model + " on " + service, last.path("error").asText(),
                    "Check the model's name, and whether the server reaches the Internet; then run it again.");
        }
    }

    void delete(String model) throws TroubleException, InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("model", model);
        cluster.ask(service, port, Verb.DELETE, "api/delete", Optional.of(body.toString()));
    }

    /** What a model answers to a question; it is loaded for that, and stays for as long as the server usually keeps it. */
    JsonNode generate(String model, String prompt) throws TroubleException, InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("model", model).put("prompt", prompt)
                .put("stream", false);
        return read(cluster.ask(service, port, "api/generate", Optional.of(body.toString())));
    }

    private JsonNode read(String text) throws TroubleException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw Refusal.failed(service.toString(), "it does not answer as Ollama does",
                    "See what stands behind that service.");
        }
    }
}
