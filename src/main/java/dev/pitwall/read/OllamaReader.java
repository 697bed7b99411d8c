package dev.pitwall.read;

import com.fasterxml.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Reads Ollama's answers (facts: ollama api/types.go, server/routes.go). */
public final class OllamaReader {

    /** {@code keep_alive: -1} gives a date about the year 2318. */
    private static final Duration PINNED = Duration.ofDays(36_525);
    private static final Set<String> SHOW_KEYS = Set.of("model_info", "modelfile", "template", "projector_info");

    boolean recognises(Tree tree) {
        JsonNode first = tree.roots().getFirst();
        // What may follow in an unfinished message would tell it from another server's.
        return models(first) || show(first)
                || (!tree.isOpen(first) && tree.roots().stream().allMatch(m -> tree.isOpen(m) || message(m)));
    }

    private static boolean models(JsonNode root) {
        JsonNode models = root.path("models");
        return models.isArray() && (models.isEmpty() ? root.size() == 1
                : models.get(0).isObject() && (models.get(0).has("name") || models.get(0).has("model")));
    }

    private static boolean show(JsonNode root) {
        return root.path("details").isObject() && (root.path("details").has("family") || root.path("details").has("format"))
                && (SHOW_KEYS.stream().anyMatch(root::has) || root.has("modified_at"));
    }

    private static boolean message(JsonNode node) {
        boolean pull = node.path("status").isTextual() && Set.of("status", "digest", "total", "completed")
                .containsAll(node.propertyStream().map(Map.Entry::getKey).toList());
        boolean generate = node.path("model").isTextual() && node.path("created_at").isTextual()
                && (node.has("response") || node.has("message") || node.has("done"));
        return pull || generate || (node.path("error").isTextual() && !node.has("status"));
    }

    /** @param root one answer */
    public OllamaAnswer read(JsonNode root) {
        return read(new Tree(List.of(root), Set.of(), Optional.empty()));
    }

    OllamaAnswer read(Tree tree) {
        Notes notes = new Notes();
        tree.cut().ifPresent(notes::add);
        JsonNode first = tree.roots().getFirst();
        if (models(first)) {
            return list(tree, first, notes);
        }
        if (show(first)) {
            return new OllamaAnswer(Optional.of(OllamaAnswer.Call.SHOW), List.of(shown(first, tree)), Optional.empty(),
                    Optional.empty(), notes.list());
        }
        return stream(tree, notes);
    }

    private static OllamaAnswer list(Tree tree, JsonNode root, Notes notes) {
        List<JsonNode> entries = Json.list(root.path("models")).stream().filter(JsonNode::isObject).toList();
        Optional<OllamaAnswer.Call> call = call(entries);
        if (call.isEmpty()) {
            notes.add("nothing here tells models in memory (/api/ps) from models on disk (/api/tags)");
        }
        // LocalAI imitates the call with sizes that are always 0 (LocalAI#11969).
        boolean sizeless = !entries.isEmpty() && entries.stream().allMatch(e -> e.path("size").asLong(-1) == 0);
        if (sizeless) {
            notes.add("this server gives no sizes: all of them are 0");
        }
        return new OllamaAnswer(call, entries.stream().map(e -> model(e, call, tree.isOpen(e), sizeless)).toList(),
                Optional.empty(), Optional.empty(), notes.list());
    }

    private static Optional<OllamaAnswer.Call> call(List<JsonNode> entries) {
        if (entries.stream().anyMatch(e -> e.has("expires_at") || e.has("size_vram"))) {
            return Optional.of(OllamaAnswer.Call.PS);
        }
        return entries.stream().anyMatch(e -> e.has("modified_at")) ? Optional.of(OllamaAnswer.Call.TAGS) : Optional.empty();
    }

    private static OllamaAnswer.Model model(JsonNode entry, Optional<OllamaAnswer.Call> call, boolean open,
                                            boolean sizeless) {
        boolean ps = call.filter(c -> c == OllamaAnswer.Call.PS).isPresent();
        JsonNode details = entry.path("details");
        Optional<Instant> expires = Json.instant(entry, "expires_at").filter(e -> e.getEpochSecond() > 0);
        OptionalLong context = Json.number(entry, "context_length");
        return new OllamaAnswer.Model(Json.text(entry, "name").or(() -> Json.text(entry, "model")),
                sizeless ? OptionalLong.empty() : Json.count(entry, "size"),
                ps && !sizeless ? vram(entry, open) : OptionalLong.empty(), expires,
                expires.map(OllamaReader::pinned), context.isPresent() ? context : Json.number(details, "context_length"),
                Json.text(entry, "digest"), Json.text(details, "family"), Json.text(details, "parameter_size"),
                Json.text(details, "quantization_level"), Json.texts(entry, "capabilities"),
                Json.text(entry, "remote_host"), Map.of());
    }

    /** Servers of 2024 left the field out where it was 0 (ollama#4840); those had no {@code context_length} yet. */
    private static OptionalLong vram(JsonNode entry, boolean open) {
        boolean leftOut = !entry.has("size_vram") && !entry.has("context_length") && !open;
        return leftOut ? OptionalLong.of(0) : Json.count(entry, "size_vram");
    }

    private static boolean pinned(Instant expires) {
        return Duration.between(Instant.now(), expires).compareTo(PINNED) > 0;
    }

    private static OllamaAnswer.Model shown(JsonNode root, Tree tree) {
        JsonNode details = root.path("details");
        Map<String, String> info = new LinkedHashMap<>();
        for (JsonNode part : List.of(root.path("model_info"), root.path("projector_info"))) {
            part.properties().forEach(e -> info(e, tree).ifPresent(v -> info.putIfAbsent(e.getKey(), v)));
        }
        OptionalLong context = Json.text(root.path("model_info"), "general.architecture")
                .map(a -> Json.number(root.path("model_info"), a + ".context_length")).orElse(OptionalLong.empty());
        return new OllamaAnswer.Model(Json.text(root, "remote_model"), OptionalLong.empty(), OptionalLong.empty(),
                Optional.empty(), Optional.empty(), context, Optional.empty(), Json.text(details, "family"),
                Json.text(details, "parameter_size"), Json.text(details, "quantization_level"),
                Json.texts(root, "capabilities"), Json.text(root, "remote_host"), info);
    }

    /** Lists of numbers are wanted (one value a layer), token lists are not. */
    private static Optional<String> info(Map.Entry<String, JsonNode> entry, Tree tree) {
        JsonNode value = entry.getValue();
        if (value.isArray()) {
            boolean numbers = !value.isEmpty() && Json.list(value).stream().allMatch(v -> v.isNumber() || v.isBoolean());
            return numbers && !entry.getKey().startsWith("tokenizer.") && !tree.isOpen(value)
                    ? Optional.of(String.join(",", Json.list(value).stream().map(JsonNode::asText).toList())) : Optional.empty();
        }
        return value.isValueNode() && !value.isNull() ? Optional.of(value.asText()) : Optional.empty();
    }

    private static OllamaAnswer stream(Tree tree, Notes notes) {
        List<JsonNode> messages = tree.roots();
        Optional<String> error = messages.stream().map(m -> Json.text(m, "error")).flatMap(Optional::stream).findFirst();
        boolean pull = messages.stream().anyMatch(m -> m.has("status"));
        boolean generate = messages.stream().anyMatch(m -> m.has("created_at"));
        Optional<OllamaAnswer.Call> call = pull ? Optional.of(OllamaAnswer.Call.PULL)
                : generate ? Optional.of(OllamaAnswer.Call.GENERATE) : Optional.empty();
        return new OllamaAnswer(call, List.of(), call.isEmpty() ? Optional.empty() : Optional.of(progress(messages)), error,
                notes.list());
    }

    private static OllamaAnswer.Stream progress(List<JsonNode> messages) {
        Map<String, Long> totals = new LinkedHashMap<>();
        Map<String, Long> completed = new LinkedHashMap<>();
        for (JsonNode message : messages) {
            Json.text(message, "digest").ifPresent(digest -> {
                Json.count(message, "total").ifPresent(t -> totals.put(digest, t));
                // The field is left out where it is 0; a resumed layer may lose ground again.
                completed.put(digest, Json.count(message, "completed").orElse(0));
            });
        }
        JsonNode last = messages.getLast();
        Optional<String> status = messages.stream().map(m -> Json.text(m, "status")).flatMap(Optional::stream)
                .reduce((first, next) -> next);
        return new OllamaAnswer.Stream(messages.size(), status, sum(completed), sum(totals),
                Json.flag(last, "done").or(() -> status.map(s -> s.equals("success"))), Json.text(last, "done_reason"),
                speed(last));
    }

    private static OptionalLong sum(Map<String, Long> values) {
        return values.isEmpty() ? OptionalLong.empty() : OptionalLong.of(values.values().stream().mapToLong(Long::longValue).sum());
    }

    /** {@code eval_duration} is in nanoseconds. */
    private static OptionalDouble speed(JsonNode last) {
        OptionalLong tokens = Json.number(last, "eval_count");
        OptionalLong nanos = Json.number(last, "eval_duration");
        return tokens.isPresent() && nanos.isPresent() && nanos.getAsLong() > 0
                ? OptionalDouble.of(tokens.getAsLong() * 1e9 / nanos.getAsLong()) : OptionalDouble.empty();
    }
}
