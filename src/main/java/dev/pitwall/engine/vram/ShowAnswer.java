package dev.pitwall.engine.vram;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Reads an answer of Ollama's {@code /api/show}, asked with {@code verbose} or without. */
final class ShowAnswer {
    /** The list counts as whole if it holds that share of the model's weights. */
    private static final double WHOLE = 0.98;
    private static final Pattern SIZE = Pattern.compile("([\\d.]+)\\s*([KMBT])", Pattern.CASE_INSENSITIVE);
    private static final Map<String, Double> UNITS = Map.of("K", 1e3, "M", 1e6, "B", 1e9, "T", 1e12);
    private static final Pattern CONTEXT = Pattern.compile("(?m)^\\s*num_ctx\\s+(\\d+)\\s*$");
    private static final Pattern FROM = Pattern.compile("(?m)^# FROM (\\S+)$");
    private static final int KEPT_ENTRIES = 1024;

    private final Quantisations quantisations;

    ShowAnswer(Quantisations quantisations) {
        this.quantisations = quantisations;
    }

    static boolean recognises(JsonNode root) {
        return root.path("model_info").isObject() && !root.has("models");
    }

    ModelFacts read(String fallbackName, JsonNode root) {
        Metadata keys = metadata(root.path("model_info"));
        List<String> remarks = new ArrayList<>();
        ModelFacts.Projector projector = root.path("projector_info").isObject() && !root.path("projector_info").isEmpty()
                ? new ModelFacts.Beside(metadata(root.path("projector_info")), List.of()) : new ModelFacts.NoProjector();
        return new ModelFacts(name(keys, root).orElse(fallbackName), keys, tensors(keys, root.path("tensors")), projector,
                stated(root), List.of(), remarks);
    }

    private static Optional<String> name(Metadata keys, JsonNode root) {
        Matcher from = FROM.matcher(root.path("modelfile").asText(""));
        return keys.text("general.name").or(() -> from.find() ? Optional.of(from.group(1)) : Optional.empty())
                .or(() -> text(root, "remote_model"))
                .or(() -> keys.text("general.basename").map(b -> b + keys.text("general.size_label").map(s -> " " + s).orElse("")));
    }

    private static ModelFacts.Stated stated(JsonNode root) {
        JsonNode details = root.path("details");
        Matcher context = CONTEXT.matcher(root.path("parameters").asText(""));
        return new ModelFacts.Stated(size(details.path("parameter_size").asText("")),
                text(details, "quantization_level").filter(q -> !q.equalsIgnoreCase("unknown")),
                context.find() ? OptionalLong.of(Long.parseLong(context.group(1))) : OptionalLong.empty(),
                text(root, "remote_host"), OptionalLong.empty());
    }

    /** For example {@code 8.0B}. */
    private static OptionalLong size(String text) {
        Matcher matcher = SIZE.matcher(text);
        return matcher.matches() ? OptionalLong.of(Math.round(Double.parseDouble(matcher.group(1))
                * UNITS.get(matcher.group(2).toUpperCase(Locale.ROOT)))) : OptionalLong.empty();
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.of(node.path(field).asText("")).filter(t -> !t.isBlank());
    }

    private ModelFacts.Tensors tensors(Metadata keys, JsonNode list) {
        if (!list.isArray() || list.isEmpty()) {
            return new ModelFacts.Unlisted();
        }
        List<TensorInfo> tensors = new ArrayList<>();
        for (JsonNode node : list) {
            Optional<TensorType> type = quantisations.tensor(node.path("type").asText(""));
            if (type.isEmpty()) {
                return new ModelFacts.Some(tensors, "tensor " + node.path("name").asText("?") + " has the unknown type "
                        + node.path("type").asText("?") + "; its size is estimated");
            }
            tensors.add(new TensorInfo(node.path("name").asText(""), type.get(), StreamSupport.stream(
                    node.path("shape").spliterator(), false).map(JsonNode::asLong).toList()));
        }
        return whole(keys, tensors) ? new ModelFacts.All(tensors)
                : new ModelFacts.Some(tensors, "the answer lists only some of the tensors; the rest is estimated");
    }

    private static boolean whole(Metadata keys, List<TensorInfo> tensors) {
        OptionalLong parameters = keys.number("general.parameter_count");
        if (parameters.isPresent()) {
            return tensors.stream().mapToLong(TensorInfo::elements).sum() >= WHOLE * parameters.getAsLong();
        }
        long blocks = tensors.stream().flatMap(t -> Tensor.layer(t).stream().boxed()).distinct().count();
        return blocks > 0 && blocks >= keys.own("block_count", 1)
                && tensors.stream().anyMatch(t -> t.name().equals(Tensor.TOKEN_EMBEDDING));
    }

    private static Metadata metadata(JsonNode info) {
        Map<String, Metadata.Value> values = new HashMap<>();
        info.properties().forEach(e -> value(e.getValue()).ifPresent(v -> values.put(e.getKey(), v)));
        return new Metadata(values);
    }

    private static Optional<Metadata.Value> value(JsonNode node) {
        return switch (node.getNodeType()) {
            case NULL -> Optional.of(new Metadata.Hidden());
            case NUMBER -> Optional.of(new Metadata.Number(node.doubleValue()));
            case BOOLEAN -> Optional.of(new Metadata.Number(node.booleanValue() ? 1 : 0));
            case STRING -> Optional.of(new Metadata.Text(node.textValue()));
            case ARRAY -> Optional.of(array(node));
            case OBJECT, MISSING, BINARY, POJO -> Optional.empty();
        };
    }

    private static Metadata.Value array(JsonNode node) {
        boolean numbers = node.size() <= KEPT_ENTRIES && StreamSupport.stream(node.spliterator(), false)
                .allMatch(n -> n.isNumber() || n.isBoolean());
        return numbers ? new Metadata.Numbers(StreamSupport.stream(node.spliterator(), false)
                .map(n -> n.isBoolean() ? (n.booleanValue() ? 1.0 : 0.0) : n.doubleValue()).collect(Collectors.toList()))
                : new Metadata.Length(node.size());
    }
}
