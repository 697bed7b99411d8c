package dev.pitwall.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.engine.vram.Amount;
import dev.pitwall.engine.vram.Use;
import dev.pitwall.engine.vram.VramEstimate;

import java.util.Locale;
import java.util.Optional;

/** An estimate in words and as JSON. */
final class EstimateReport {
    private static final double MIB = 1 << 20;

    private final VramEstimate estimate;

    EstimateReport(VramEstimate estimate) {
        this.estimate = estimate;
    }

    int exitCode() {
        return estimate.total().isPresent() && estimate.flaws().isEmpty() ? ExitCode.FINE : ExitCode.FOUND;
    }

    /** Field names as scripts rely on them; a part without a figure is null. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("model", estimate.model()).put("architecture", estimate.architecture());
        put(json, "weightsBytes", estimate.weights());
        put(json, "kvBytes", estimate.context());
        put(json, "computeBytes", estimate.compute());
        put(json, "projectorBytes", estimate.projector());
        put(json, "overheadBytes", overhead());
        put(json, "totalBytes", estimate.total());
        json.put("totalLowBytes", estimate.total().map(Amount::low).orElse(null));
        json.put("totalHighBytes", estimate.total().map(Amount::high).orElse(null));
        json.put("kvLowBytes", estimate.context().map(Amount::low).orElse(null));
        json.put("kvHighBytes", estimate.context().map(Amount::high).orElse(null));
        json.put("stateBytes", estimate.states().orElse(null));
        put(json, "hostWeightsBytes", estimate.host());
        json.put("contextTokens", estimate.use().contextTokens()).put("parallel", estimate.use().parallel());
        json.put("slots", word(estimate.use().slots())).put("kv", estimate.use().cache().wireName());
        json.put("basis", "estimated");
        ArrayNode flaws = json.putArray("flaws");
        estimate.flaws().forEach(flaws::add);
        ArrayNode notes = json.putArray("notes");
        estimate.notes().forEach(notes::add);
        return json;
    }

    private static void put(ObjectNode json, String field, Optional<Amount> amount) {
        json.put(field, amount.map(Amount::likely).orElse(null));
    }

    /** Of a process on the card; none where the model needs no card. */
    private Optional<Amount> overhead() {
        return Optional.of(estimate.overhead()).filter(o -> o.high() > 0);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        Use use = estimate.use();
        estimate.flaws().forEach(f -> text.append("This file cannot be served: ").append(f).append(".\n\n"));
        text.append(estimate.model()).append(estimate.architecture().isEmpty() ? "" : " (" + estimate.architecture() + ")")
                .append(", ").append(use.contextTokens()).append(" tokens of context").append(slots(use)).append(", ")
                .append(use.cache().wireName()).append("\n\n");
        line(text, "weights", estimate.weights());
        line(text, estimate.states().filter(s -> s > 0).isPresent() ? "keys, values, states" : "keys and values", estimate.context());
        line(text, "compute buffers", estimate.compute());
        if (estimate.projector().isPresent()) {
            line(text, "projector", estimate.projector());
        }
        line(text, "driver", overhead());
        line(text, "together, estimated", estimate.total());
        estimate.host().ifPresent(h -> text.append(String.format(Locale.ROOT, "%n%-22s %10.1f MiB stay in the host's memory%n",
                "token embedding", h.likely() / MIB)));
        if (!estimate.notes().isEmpty()) {
            text.append('\n');
            estimate.notes().forEach(n -> text.append("- ").append(n).append('\n'));
        }
        return text.toString();
    }

    private static String slots(Use use) {
        if (use.parallel() == 1) {
            return "";
        }
        return switch (use.slots()) {
            case EACH -> " for each of " + use.parallel() + " slots";
            case SPLIT -> " divided among " + use.parallel() + " slots";
            case SHARED -> " shared by " + use.parallel() + " slots";
        };
    }

    private static void line(StringBuilder text, String part, Optional<Amount> amount) {
        text.append(amount.map(a -> String.format(Locale.ROOT, "%-22s %10.1f MiB%s%n", part, a.likely() / MIB, range(a)))
                .orElseGet(() -> String.format(Locale.ROOT, "%-22s %10s%n", part, "not known")));
    }

    private static String range(Amount amount) {
        return amount.exact() ? "" : String.format(Locale.ROOT, "   %.0f to %.0f", amount.low() / MIB, amount.high() / MIB);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
