package dev.pitwall.engine.live;

import dev.pitwall.card.TroubleException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A model server as the engine needs it. Calls block, may take as long as they say, and are cancelled by interrupting the
 * thread. Implemented in {@code link.models} (facts: models.md 5).
 */
public interface ServerDriver extends AutoCloseable {

    /** What is there now. Short time limit: a miss is no death. */
    State read() throws TroubleException, InterruptedException;

    /** What the engine needs to estimate a model: an answer of {@code /api/show} or the like; empty where the server has none. */
    Optional<String> show(ModelName model) throws TroubleException, InterruptedException;

    /**
     * Loads it with the server's usual settings and returns when it is ready. Interrupting cancels the load at the server
     * too.
     */
    void load(ModelName model, Consumer<Progress> progress) throws TroubleException, InterruptedException;

    /** Asks for the unload; returns when the server no longer lists it, or fails when {@code limit} is over. */
    void unload(ModelName model, Duration limit) throws TroubleException, InterruptedException;

    /** Goes on where an earlier pull was cut. Interrupting stops it. */
    void pull(ModelName model, Consumer<Progress> progress) throws TroubleException, InterruptedException;

    @Override
    void close();

    /** @param share 0 to 1 where told; @param done and {@code total} bytes where told */
    record Progress(String stage, OptionalDouble share, long done, long total) {
    }

    /** @param atOnce loads that the server does side by side */
    record State(String software, Optional<String> version, List<Loaded> loaded, List<Installed> installed, int atOnce) {
        public State {
            loaded = List.copyOf(loaded);
            installed = List.copyOf(installed);
        }
    }

    /**
     * @param phase          as far as the server tells
     * @param sizeBytes      in all, and of it on the card
     * @param expires        as told; Ollama's may lie in the past while it is busy
     */
    record Loaded(ModelName model, Optional<String> digest, Phase phase, OptionalLong sizeBytes, OptionalLong vramBytes,
                  Optional<Instant> expires, OptionalLong contextTokens, OptionalDouble progress) {
    }

    record Installed(ModelName model, Optional<String> digest, OptionalLong fileBytes, Optional<String> quantization) {
    }

    /** What a server says of a model in memory. */
    enum Phase { LOADING, LOADED, SLEEPING, FAILED }
}
