package dev.pitwall.read;

import dev.pitwall.card.ServerReport;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * An answer of Ollama.
 *
 * @param call   which call it answers; empty where the answer does not tell, as an empty list of models
 * @param stream of pull and generate
 * @param error  in its own words; it may come in the middle of a stream that began well
 */
public record OllamaAnswer(Optional<Call> call, List<Model> models, Optional<Stream> stream, Optional<String> error,
                           List<String> notes) implements Understood {
    public OllamaAnswer {
        models = List.copyOf(models);
        notes = List.copyOf(notes);
    }

    public enum Call {
        /** {@code /api/ps}: models in memory. */
        PS,
        /** {@code /api/tags}: models on disk. */
        TAGS,
        /** {@code /api/show}: one model in detail. */
        SHOW,
        /** {@code /api/pull}, {@code /api/create}: progress. */
        PULL,
        /** {@code /api/generate}, {@code /api/chat}. */
        GENERATE;

        /** The stable name in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param sizeBytes     of {@code ps} the memory it takes, of {@code tags} its files
     * @param vramBytes     of {@code ps} the part of it on the GPU
     * @param pinned        true if it will not be unloaded by time; empty outside {@code ps}
     * @param contextTokens of {@code ps} the context it was loaded with, else the most it can have
     * @param info          of {@code show}: GGUF keys with plain values; a per-layer list as its values with commas
     */
    public record Model(Optional<String> name, OptionalLong sizeBytes, OptionalLong vramBytes,
                        Optional<Instant> expiresAt, Optional<Boolean> pinned, OptionalLong contextTokens,
                        Optional<String> digest, Optional<String> family, Optional<String> parameterSize,
                        Optional<String> quantization, List<String> capabilities, Optional<String> remoteHost,
                        Map<String, String> info) {
        public Model {
            capabilities = List.copyOf(capabilities);
            info = Collections.unmodifiableMap(new LinkedHashMap<>(info));
        }

        /** As the rest of Pitwall knows a model in memory. */
        public ServerReport.LoadedModel loaded() {
            return new ServerReport.LoadedModel(name.orElse(""), sizeBytes, vramBytes, expiresAt, contextTokens);
        }

        /** As the rest of Pitwall knows a model on disk. */
        public ServerReport.InstalledModel installed() {
            return new ServerReport.InstalledModel(name.orElse(""), sizeBytes, quantization);
        }
    }

    /**
     * @param lines          number of messages
     * @param lastStatus     of a pull
     * @param completedBytes over all layers seen, at their last message
     * @param totalBytes     likewise; grows while layers are announced
     * @param done           true if the last message says that it is complete
     * @param doneReason     for example {@code load}, {@code unload} or {@code stop}
     * @param tokensPerSecond of a finished generation
     */
    public record Stream(int lines, Optional<String> lastStatus, OptionalLong completedBytes, OptionalLong totalBytes,
                         Optional<Boolean> done, Optional<String> doneReason, OptionalDouble tokensPerSecond) {
    }

    @Override
    public Kind kind() {
        return Kind.OLLAMA;
    }
}
