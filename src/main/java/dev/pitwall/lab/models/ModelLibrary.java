package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.lab.data.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the lab's model registry holds, and tables about models and cards, from {@code resources/lab/models}. */
final class ModelLibrary {
    /**
     * @param metadata GGUF keys with numbers, texts or booleans
     * @param hub      its name on the hub that a llama-server downloads from; empty if it is not there
     */
    record Entry(String name, String architecture, String family, long parameterCount, String parameterSize,
                 String quantization, long diskBytes, long vramBytes, int contextLength, JsonNode metadata,
                 List<String> capabilities, String digest, String hub) {
        int layers() {
            return metadata.path(architecture + ".block_count").asInt();
        }

        /** Keys and values of all layers in 16-bit numbers. */
        long cacheBytesPerToken() {
            int heads = metadata.path(architecture + ".attention.head_count").asInt(1);
            int kept = metadata.path(architecture + ".attention.head_count_kv").asInt(heads);
            int length = metadata.path(architecture + ".attention.key_length").asInt(embeddingLength() / Math.max(1, heads));
            return 2L * 2 * layers() * kept * length;
        }

        int embeddingLength() {
            return metadata.path(architecture + ".embedding_length").asInt();
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private final JsonNode bandwidth;
    private final List<String> sentences;

    ModelLibrary() {
        for (JsonNode m : DataFile.tree("models/library.json").path("models")) {
            List<String> capabilities = new ArrayList<>();
            m.path("capabilities").forEach(c -> capabilities.add(c.asText()));
            entries.add(new Entry(m.path("name").asText(), m.path("architecture").asText(),
                    m.path("family").asText(), m.path("parameterCount").asLong(),
                    m.path("parameterSize").asText(), m.path("quantization").asText(),
                    m.path("diskBytes").asLong(), m.path("vramBytes").asLong(), m.path("contextLength").asInt(),
                    m.path("metadata"), List.copyOf(capabilities), m.path("digest").asText(),
                    m.path("hub").asText("")));
        }
        bandwidth = DataFile.tree("models/bandwidth.json");
        sentences = DataFile.text("models/sentences.txt").lines().toList();
    }

    /** @param name with its tag */
    Optional<Entry> find(String name) {
        return entries.stream().filter(e -> e.name().equals(name)).findFirst();
    }

    /** The model with these weights, whatever it is called. */
    Optional<Entry> byDigest(String digest) {
        return entries.stream().filter(e -> e.digest().equals(digest)).findFirst();
    }

    /** @param name as the hub has it, for example {@code ggml-org/gemma-3-12b-it-GGUF:Q4_K_M} */
    Optional<Entry> onHub(String name) {
        return entries.stream().filter(e -> !e.hub().isEmpty() && e.hub().equals(name)).findFirst();
    }

    /** What a card's memory delivers, in bytes a second. */
    double bytesPerSecond(String product) {
        for (JsonNode card : bandwidth.path("cards")) {
            if (product.contains(card.path("product").asText())) {
                return card.path("gbPerSecond").asDouble() * 1e9;
            }
        }
        return bandwidth.path("otherwise").asDouble() * 1e9;
    }

    List<String> sentences() {
        return sentences;
    }
}
