package dev.pitwall.engine.vram;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

/** How near estimates come to public models and measured loads; its tables are those of docs/estimates.md. */
class EstimateAccuracyTest {
    private static final double MIB = 1 << 20;
    private static final Architectures ARCHITECTURES = Architectures.load();
    private static final WeightReader WEIGHTS = new WeightReader(Quantisations.load(), Costs.load());
    /** Files whose maker mixed types by hand, and types of a fork: they are shown, not promised. */
    private static final List<String> OTHERS = List.of("UD-", "ik fork", "QAT", "projector", "ollama");

    private static Stream<JsonNode> entries(String file, String list) throws IOException {
        return StreamSupport.stream(Shown.data(file).path(list).spliterator(), false);
    }

    @TestFactory
    Stream<DynamicTest> contextMemoryIsThatOfLlamaCpp() throws IOException {
        return entries("architectures.json", "entries").map(e -> DynamicTest.dynamicTest(e.path("id").asText(), () -> {
            for (Map.Entry<String, JsonNode> at : e.path("context").properties()) {
                assertThat(Shown.of(e).context(Long.parseLong(at.getKey()))).as("%s tokens", at.getKey())
                        .isEqualTo(at.getValue().asLong());
            }
        }));
    }

    @TestFactory
    Stream<DynamicTest> aMeasuredLoadIsMet() throws IOException {
        return entries("measured.json", "cases").map(c -> DynamicTest.dynamicTest(c.path("id").asText(), () -> {
            VramEstimate estimate = estimate(c);
            compare(c, "context", estimate.context().map(Amount::likely)).ifPresent(error -> assertThat(error).isBetween(-0.03, 0.03));
            compare(c, "states", estimate.states()).ifPresent(error -> assertThat(error).isBetween(-0.01, 0.01));
            compare(c, "withDriver", estimate.total().map(Amount::likely)).ifPresent(error -> assertThat(error).isBetween(-0.1, 0.1));
            logged(c, estimate).ifPresent(error -> assertThat(error).isBetween(-0.1, 0.1));
        }));
    }

    @TestFactory
    Stream<DynamicTest> weightsOfAFileFollowFromItsQuantisation() throws IOException {
        return entries("architectures.json", "entries").flatMap(e -> StreamSupport.stream(e.path("files").spliterator(), false)
                .filter(f -> OTHERS.stream().noneMatch(f.path(0).asText()::contains)).filter(f -> e.path("parameters").isNumber())
                .map(f -> DynamicTest.dynamicTest(e.path("id").asText() + " " + f.path(0).asText(),
                        () -> assertThat((double) file(e, f)).isCloseTo(f.path(1).asDouble(), withPercentage(10)))));
    }

    @Test
    void theDocumentShowsTheseErrors() throws Exception {
        String loads = loads();
        String files = files();
        Path written = Path.of("target", "estimates.md");
        Files.createDirectories(written.getParent());
        Files.writeString(written, loads + "\n" + files);

        assertThat(Files.readString(Path.of("docs", "estimates.md"))).as("copy %s into it", written).contains(loads).contains(files);
    }

    private static VramEstimate estimate(JsonNode c) throws Exception {
        return Shown.of(c).quantised(c.path("quantisation").asText()).estimate(new Use(c.path("tokens").asLong(),
                c.path("parallel").asInt(), Use.Slots.valueOf(c.path("slots").asText().toUpperCase(Locale.ROOT)),
                CacheType.of(c.path("cache").asText()).orElseThrow(),
                Use.FlashAttention.valueOf(c.path("flashAttention").asText().toUpperCase(Locale.ROOT)), c.path("ubatch").asInt()));
    }

    /** Bytes of the weights in the file. */
    private static long file(JsonNode e, JsonNode file) throws Exception {
        ModelFacts model = Shown.of(e).quantised(file.path(0).asText().replaceFirst(" .*", "")).model();
        ArchitectureRule rule = ARCHITECTURES.rule(e.path("architecture").asText()).orElseThrow();
        Weights weights = WEIGHTS.read(model, rule, 0, new Remarks()).orElseThrow();
        return weights.card().likely() + weights.host().likely() - weights.twice();
    }

    private static Optional<Double> compare(JsonNode c, String part, Optional<Long> estimated) {
        JsonNode measured = c.path("mib").path(part);
        return measured.isMissingNode() ? Optional.empty()
                : estimated.map(e -> (e / MIB - measured.asDouble()) / measured.asDouble());
    }

    /** Weights, context and buffers together, where the log has all three. */
    private static Optional<Double> logged(JsonNode c, VramEstimate estimate) {
        JsonNode mib = c.path("mib");
        if (!mib.has("weights") || !mib.has("context") || !mib.has("compute")) {
            return Optional.empty();
        }
        double measured = mib.path("weights").asDouble() + mib.path("context").asDouble() + mib.path("compute").asDouble();
        double estimated = Stream.of(estimate.weights(), estimate.context(), estimate.compute())
                .mapToDouble(a -> a.orElseThrow().likely() / MIB).sum();
        return Optional.of((estimated - measured) / measured);
    }

    private static String loads() throws Exception {
        StringBuilder table = new StringBuilder("| load | weights | context | compute | together |\n|---|---|---|---|---|\n");
        for (JsonNode c : entries("measured.json", "cases").toList()) {
            VramEstimate estimate = estimate(c);
            Optional<Double> total = compare(c, "withDriver", estimate.total().map(Amount::likely));
            table.append("| ").append(c.path("id").asText())
                    .append(cell(c, "weights", estimate.weights().map(Amount::likely)))
                    .append(c.path("mib").has("states") ? cell(c, "states", estimate.states())
                            : cell(c, "context", estimate.context().map(Amount::likely)))
                    .append(cell(c, "compute", estimate.compute().map(Amount::likely)))
                    .append(total.or(() -> logged(c, estimate)).map(EstimateAccuracyTest::percent).orElse(" | ")).append(" |\n");
        }
        return table.toString();
    }

    private static String files() throws Exception {
        StringBuilder table = new StringBuilder("| file | MiB | error |\n|---|---|---|\n");
        for (JsonNode e : entries("architectures.json", "entries").filter(x -> x.path("parameters").isNumber()).toList()) {
            for (JsonNode file : e.path("files")) {
                table.append("| ").append(e.path("id").asText()).append(' ').append(file.path(0).asText()).append(" | ")
                        .append(Math.round(file.path(1).asLong() / MIB)).append(fileError(e, file)).append(" |\n");
            }
        }
        return table.toString();
    }

    private static String fileError(JsonNode e, JsonNode file) throws Exception {
        String name = file.path(0).asText();
        String level = name.replaceFirst("^ollama .*\\((?:v0.3, )?([A-Z0-9_]+).*\\)$", "$1");
        if (level.startsWith("ollama")) {
            return " | not told";
        }
        return percent((file(e, Shown.JSON.createArrayNode().add(level).add(file.path(1).asLong())) - file.path(1).asDouble())
                / file.path(1).asDouble());
    }

    private static String cell(JsonNode c, String part, Optional<Long> estimated) {
        return compare(c, part, estimated).map(error -> String.format(Locale.ROOT, " | %.0f MiB, %s", c.path("mib").path(part).asDouble(),
                percent(error).substring(3))).orElse(" | ");
    }

    private static String percent(double error) {
        return String.format(Locale.ROOT, " | %+.1f %%", error * 100);
    }
}
