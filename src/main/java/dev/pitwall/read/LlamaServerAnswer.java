package dev.pitwall.read;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An answer of llama-server. It never tells how much VRAM anything takes.
 *
 * @param router true for a router, false for a server of one model; empty where the answer does not tell
 * @param slots  of a single-model server
 * @param maxModels of a router: loaded at a time
 * @param build  for example {@code b10488-00dd0816}
 */
public record LlamaServerAnswer(Optional<Call> call, List<Model> models, Optional<Boolean> router, OptionalInt slots,
                                OptionalInt maxModels, Optional<String> build, Optional<String> error,
                                List<String> notes) implements Understood {
    public LlamaServerAnswer {
        models = List.copyOf(models);
        notes = List.copyOf(notes);
    }

    public enum Call {
        MODELS, PROPS;

        /** The stable name in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param state     unloaded, loading, loaded, sleeping, downloading or downloaded; empty on a single-model server
     * @param failed    true if the last load failed
     * @param exitCode  of the failed load
     * @param progress  of a load, 0 to 1
     * @param fileBytes size of its weights, once loaded
     * @param contextTokens the context it was started with
     * @param trainedContextTokens the most it was trained for
     */
    public record Model(String id, Optional<String> state, Optional<Boolean> failed, OptionalInt exitCode,
                        OptionalDouble progress, Optional<String> source, OptionalLong fileBytes,
                        OptionalLong parameters, OptionalLong contextTokens, OptionalLong trainedContextTokens) {
    }

    @Override
    public Kind kind() {
        return Kind.LLAMA_SERVER;
    }
}
