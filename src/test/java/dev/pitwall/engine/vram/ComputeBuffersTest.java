package dev.pitwall.engine.vram;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Buffers beside those that llama.cpp (18 August 2026, ggml 0.20.2) reserved with CUDA on an NVIDIA H200 for these
 * configurations, with batches of 512 tokens: {@code compute-cuda.csv}.
 */
class ComputeBuffersTest {
    private static final double NEAR = 0.25;

    private record Row(String id, Use use, long bytes) {
        static Row of(String line) {
            String[] r = line.split(",");
            return new Row(r[0], new Use(Long.parseLong(r[1]), Integer.parseInt(r[2]),
                    Use.Slots.valueOf(r[4].toUpperCase(Locale.ROOT)), CacheType.of(r[3]).orElseThrow(),
                    Use.FlashAttention.valueOf(r[5].toUpperCase(Locale.ROOT)), 512), Long.parseLong(r[6]));
        }
    }

    private record Compared(Row row, Amount counted) {
        boolean inside() {
            return counted.low() <= row.bytes() && row.bytes() <= counted.high() * 1.01;
        }

        boolean near() {
            return Math.abs(counted.likely() - row.bytes()) <= NEAR * row.bytes();
        }
    }

    @Test
    void buffersAreThoseOfCuda() throws Exception {
        List<Compared> all = compared();
        assertThat(all).hasSizeGreaterThan(750);
        assertThat(share(all, Compared::inside)).as(() -> outside(all)).isGreaterThan(0.98);
        assertThat(share(all, Compared::near)).isGreaterThan(0.85);
    }

    private static double share(List<Compared> all, Predicate<Compared> which) {
        return all.stream().filter(which).count() / (double) all.size();
    }

    private static String outside(List<Compared> all) {
        return all.stream().filter(c -> !c.inside()).map(Compared::toString).collect(Collectors.joining("\n"));
    }

    private static List<Compared> compared() throws Exception {
        Map<String, JsonNode> models = StreamSupport.stream(Shown.data("architectures.json").path("entries").spliterator(), false)
                .collect(Collectors.toMap(e -> e.path("id").asText(), e -> e));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                ComputeBuffersTest.class.getResourceAsStream("/engine/compute-cuda.csv"), StandardCharsets.UTF_8))) {
            List<Compared> all = new ArrayList<>();
            for (Row row : lines.lines().skip(1).map(Row::of).toList()) {
                all.add(new Compared(row, Shown.of(models.get(row.id())).estimate(row.use()).compute().orElseThrow()));
            }
            return all;
        }
    }
}
