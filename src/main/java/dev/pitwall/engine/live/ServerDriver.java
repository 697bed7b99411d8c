package dev.pitwall.engine.live;

import dev.pitwall.card.TroubleException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
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
     * Loads it with the server's usual settings and returns when it is ready; one that is there already only gets the
     * new time to stay. Interrupting cancels the load at the server too.
     */
    void load(ModelName model, Stay stay, Consumer<Progress> progress) throws TroubleException, InterruptedException;

    /** Asks for the unload; returns when the server no longer lists it, or fails when {@code limit} is over. */
    void unload(ModelName model, Duration limit) throws TroubleException, InterruptedException;

    /** Goes on where an earlier pull was cut. Interrupting stops it. */
    void pull(ModelName model, Consumer<Progress> progress) throws TroubleException, InterruptedException;

    /**
     * Has a model that is in memory answer a fixed question and returns how fast it was. A long call; interrupting it ends it
     * at the server.
     *
     * @param where {@code PROCESSOR} makes the server load it anew; whoever asks loads it again as it was
     */
    Pace measure(ModelName model, Where where) throws TroubleException, InterruptedException;

    @Override
    void close();

    /** How long a server is asked to keep a model that nobody uses. A server that has no such time ignores it. */
    enum Stay {
        /** As the server is set up. */
        USUAL,
        /** For ever; it is a request, no promise: a server that wants room lets it go all the same. */
        ALWAYS,
        /** No longer for ever: five minutes, the default of Ollama. What a server is set to is told nowhere. */
        NO_LONGER
    }

    /** What a measurement is to find out. */
    enum Course {
        /** As it is loaded, and without the card. */
        BOTH,
        /** As it is loaded: the server cannot be asked for more. */
        HERE
    }

    /** Where a model computes while it is measured. */
    enum Where { AS_LOADED, PROCESSOR }

    /** @param tokens that the answer had */
    record Pace(long tokens, double tokensPerSecond) {
    }

    /** @param share 0 to 1 where told; @param done and {@code total} bytes where told */
    record Progress(String stage, OptionalDouble share, long done, long total) {
    }

    /** What can be asked of a server. */
    enum Ability {
        LOAD, PULL, MEASURE,
        /** And to compute without the card. */
        MEASURE_PROCESSOR
    }

    /**
     * @param software   for example {@code Ollama}
     * @param mostLoaded models that it keeps at once, after which it lets the longest unused one go by itself; empty where
     *                   there is no such limit or none is told (facts: models.md 5.3)
     */
    record State(String software, Optional<String> version, List<Loaded> loaded, List<Installed> installed,
                 Set<Ability> abilities, OptionalInt mostLoaded) {
        public State {
            loaded = List.copyOf(loaded);
            installed = List.copyOf(installed);
            abilities = Set.copyOf(abilities);
        }
    }

    /**
     * @param phase          as far as the server tells
     * @param sizeBytes      in all, and of it on the card
     * @param expires        as told; Ollama's may lie in the past while it is busy
     * @param requests       in service, where the server tells
     * @param tokensPerSecond that it makes for all of them, where the server tells; 0 while it has none to make
     */
    record Loaded(ModelName model, Optional<String> digest, Phase phase, OptionalLong sizeBytes, OptionalLong vramBytes,
                  Optional<Instant> expires, OptionalLong contextTokens, OptionalDouble progress, OptionalInt requests,
                  OptionalDouble tokensPerSecond) {
    }

    record Installed(ModelName model, Optional<String> digest, OptionalLong fileBytes, Optional<String> quantization) {
    }

    /** What a server says of a model in memory. */
    enum Phase { LOADING, LOADED, SLEEPING }
}
