package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Reads {@code /models}, {@code /v1/models} and {@code /props} of llama-server, as router or with one model. */
public final class LlamaServerReader {

    boolean recognises(JsonNode root) {
        return models(root) || props(root) || error(root);
    }

    private static boolean models(JsonNode root) {
        JsonNode first = root.path("data").path(0);
        return first.path("id").isTextual() && (first.path("status").has("value") || first.path("meta").has("n_params")
                || first.path("owned_by").asText().equals("llamacpp") || first.path("architecture").has("input_modalities"));
    }

    private static boolean props(JsonNode root) {
        return root.path("default_generation_settings").isObject() || root.path("role").asText().equals("router");
    }

    private static boolean error(JsonNode root) {
        return root.path("error").path("message").isTextual() && root.path("error").has("type");
    }

    /** @param root one answer */
    public LlamaServerAnswer read(JsonNode root) {
        return read(new Tree(List.of(root), Set.of(), Optional.empty()));
    }

    LlamaServerAnswer read(Tree tree) {
        JsonNode root = tree.roots().getFirst();
        Notes notes = new Notes();
        tree.cut().ifPresent(notes::add);
        if (models(root)) {
            List<LlamaServerAnswer.Model> models = Json.list(root.path("data")).stream()
                    .filter(m -> Json.text(m, "id").isPresent()).map(LlamaServerReader::model).toList();
            boolean states = Json.list(root.path("data")).stream().anyMatch(m -> m.has("status"));
            return new LlamaServerAnswer(Optional.of(LlamaServerAnswer.Call.MODELS), models,
                    states ? Optional.of(true) : Optional.empty(), OptionalInt.empty(), OptionalInt.empty(),
                    Optional.empty(), Optional.empty(), notes.list());
        }
        return props(root) ? properties(root, notes) : new LlamaServerAnswer(Optional.empty(), List.of(), Optional.empty(),
                OptionalInt.empty(), OptionalInt.empty(), Optional.empty(), Json.text(root.path("error"), "message"),
                notes.list());
    }

    private static LlamaServerAnswer.Model model(JsonNode model) {
        JsonNode status = model.path("status");
        JsonNode meta = model.path("meta");
        JsonNode progress = status.path("progress").path("value");
        return new LlamaServerAnswer.Model(model.path("id").asText(), Json.text(status, "value"), Json.flag(status, "failed"),
                Json.integer(status, "exit_code"),
                progress.isNumber() ? OptionalDouble.of(progress.asDouble()) : OptionalDouble.empty(),
                Json.text(model, "source"), Json.number(meta, "size"), Json.number(meta, "n_params"),
                Json.number(meta, "n_ctx"), Json.number(meta, "n_ctx_train"));
    }

    private static LlamaServerAnswer properties(JsonNode root, Notes notes) {
        boolean router = root.path("role").asText().equals("router");
        Optional<String> path = Json.text(root, "model_path").filter(p -> !p.equals("none"));
        List<LlamaServerAnswer.Model> models = router ? List.of() : path.stream().map(p -> one(root, p)).toList();
        return new LlamaServerAnswer(Optional.of(LlamaServerAnswer.Call.PROPS), models,
                root.has("role") || path.isPresent() ? Optional.of(router) : Optional.empty(),
                Json.integer(root, "total_slots"), Json.integer(root, "max_instances"), Json.text(root, "build_info"),
                Optional.empty(), notes.list());
    }

    private static LlamaServerAnswer.Model one(JsonNode root, String path) {
        Optional<String> state = Json.flag(root, "is_sleeping").map(s -> s ? "sleeping" : "loaded");
        return new LlamaServerAnswer.Model(Json.text(root, "model_alias").orElse(path), state, Optional.empty(),
                OptionalInt.empty(), OptionalDouble.empty(), Optional.of(path), OptionalLong.empty(), OptionalLong.empty(),
                Json.number(root.path("default_generation_settings"), "n_ctx"), OptionalLong.empty());
    }
}
