package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;

/** Finds out whose answer a JSON text is, and reads it. */
final class JsonReader {

    private final Documents documents = new Documents();
    private final KubeReader kube = new KubeReader();
    private final OllamaReader ollama = new OllamaReader();
    private final LlamaServerReader llama = new LlamaServerReader();
    private final PrometheusReader prometheus = new PrometheusReader();

    double likeness(Text text) {
        Optional<Text.Line> start = documents.jsonStart(text);
        if (start.isEmpty()) {
            return 0;
        }
        boolean first = text.first(1).equals(List.of(start.get()));
        return first ? 0.98 : 0.75;
    }

    /** @return empty if it is JSON of something Pitwall does not know, or none at all */
    Optional<Understood> read(Text text) {
        Optional<Text.Line> start = documents.jsonStart(text);
        if (start.isEmpty()) {
            return Optional.empty();
        }
        Tree tree = documents.json(text, start.get());
        if (tree.roots().isEmpty()) {
            return Optional.empty();
        }
        JsonNode first = tree.roots().getFirst();
        if (prometheus.recognises(first)) {
            return Optional.of(prometheus.read(tree));
        }
        if (llama.recognises(first)) {
            return Optional.of(llama.read(tree));
        }
        return ollama.recognises(tree) ? Optional.of(ollama.read(tree)) : kube.read(tree);
    }
}
