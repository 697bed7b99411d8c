package dev.pitwall.lab.world;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A model server on one card. Touched only under the world's lock. */
public final class LabModelServer {
    public final String name;
    public String namespace = "";
    public String node = "";
    /** Id of its card; empty if it has none and works on the processor. */
    public String card = "";
    public String version = "";
    public Kind kind = Kind.OLLAMA;
    /** Its machine runs and its card has a driver; follows from {@link Wiring#renew}. */
    public boolean up = true;
    public final List<Installed> installed = new ArrayList<>();
    /** In memory now. The lab's life removes what is idle and past its time, and lets models be loaded on demand. */
    public final List<Loaded> loaded = new ArrayList<>();
    /** What is wrong with loads now; health calls stay green whatever it is. */
    public LoadTrouble loadTrouble = LoadTrouble.NONE;
    /** Models of an Ollama that were made from others, by name: the same weights with parameters of their own. */
    public final Map<String, Derived> derived = new TreeMap<>();
    /** Requests an Ollama takes before it says that it is busy, {@code OLLAMA_MAX_QUEUE}. */
    public int longestQueue = 512;
    /** Most models that a router runs at once, {@code --models-max}; 0 means no limit. */
    public int mostLoaded = 4;
    /** How long a router's model is idle before it sleeps, {@code --sleep-idle-seconds}; zero means that none does. */
    public Duration sleepAfter = Duration.ZERO;
    /** Exit codes of a router's models whose last load failed. */
    public final Map<String, Integer> failed = new TreeMap<>();
    /** How often a router was told to look at its models anew. */
    public int reloads;
    /** How often a client has had a model loaded, by model; what the lab's own users do does not count. */
    public final Map<String, Integer> begun = new TreeMap<>();
    /** What a router downloads now, by model. */
    public final Map<String, Download> downloads = new TreeMap<>();

    /** What it is. */
    public enum Kind {
        @JsonProperty("ollama")
        OLLAMA("ollama", 11434),
        @JsonProperty("llama-server")
        LLAMA_SERVER("llama-server", 8080);

        private final String word;
        private final int port;

        Kind(String word, int port) {
            this.word = word;
            this.port = port;
        }

        /** For example {@code llama-server}. */
        public String word() {
            return word;
        }

        /** The port its Service has in a cluster. */
        public int port() {
            return port;
        }
    }

    /** A fault of loading. */
    public enum LoadTrouble {
        NONE,
        /** A load never ends, while every health call is answered (facts: models.md 5.2). */
        HANGS,
        /** The process that loads ends with exit status 1. */
        FAILS
    }

    public LabModelServer(String name) {
        this.name = name;
    }

    /**
     * Brings what is in memory up to the moment: models that nobody uses and whose time is over go, a failed load is
     * one, a load that hung goes on once nothing holds it, an idle model of a router falls asleep. The one rule of it;
     * call it inside {@link World#change}.
     */
    public void settle(Instant now) {
        loaded.removeIf(model -> model.isOver(now));
        if (loadTrouble == LoadTrouble.NONE) {
            loaded.stream().filter(Loaded::hangs).forEach(model -> model.readyAt = now);
        }
        loaded.removeIf(model -> {
            boolean dies = model.fails && !model.readyAt.isAfter(now);
            if (dies) {
                failed.put(model.model.name(), 1);
            }
            return dies;
        });
        if (sleepAfter.isPositive()) {
            loaded.stream().filter(model -> isTired(model, now)).forEach(model -> model.asleep = true);
        }
    }

    /** True if {@link #settle} would change something. */
    public boolean isUnsettled(Instant now) {
        return loaded.stream().anyMatch(model -> model.isOver(now) || model.fails && !model.readyAt.isAfter(now)
                || model.hangs() && loadTrouble == LoadTrouble.NONE
                || sleepAfter.isPositive() && !model.asleep && isTired(model, now));
    }

    private boolean isTired(Loaded model, Instant now) {
        return model.busy == 0 && model.isReady(now) && !model.usedAt.plus(sleepAfter).isAfter(now)
                && !model.readyAt.plus(sleepAfter).isAfter(now);
    }

    /**
     * A model on the server's disk. Sizes in bytes; {@code vramBytes} is what it takes when loaded with the default
     * context.
     */
    public record Installed(String name, String digest, long diskBytes, long vramBytes, String family,
                            String parameterSize, String quantization, int contextTokens, Instant modifiedAt) {

        /** The same model taking another amount of memory, as with a longer context. */
        public Installed taking(long bytes) {
            return new Installed(name, digest, diskBytes, bytes, family, parameterSize, quantization, contextTokens,
                    modifiedAt);
        }
    }

    /**
     * A model made from another.
     *
     * @param from       whose weights it has
     * @param parameters options it sets, as texts
     */
    public record Derived(String from, Map<String, String> parameters) {
        public Derived {
            parameters = Map.copyOf(parameters);
        }
    }

    /** A download in progress. */
    public record Download(String url, long total, long done) {
    }

    /**
     * An answer under way.
     *
     * @param task   its number in its process
     * @param first  when its prompt is read, and the first token begins
     * @param tokens that it will have
     */
    public record Answer(long task, Instant first, double tokensPerSecond, int tokens) {

        /** Tokens that it has. */
        public long decoded(Instant now) {
            return Math.clamp((long) (Duration.between(first, now).toMillis() / 1000.0 * tokensPerSecond), 0, tokens);
        }
    }

    /** A model in memory. */
    public static final class Loaded {
        /** {@link #readyAt} of a load that hangs. */
        private static final Instant NEVER = Instant.MAX;
        /** A time to stay that lies further ahead does not end. */
        private static final Duration FOR_EVER = Duration.ofDays(36_525);

        public final Installed model;
        public Instant readyAt = Instant.EPOCH;
        public Instant expiresAt = Instant.EPOCH;
        /** It was told to go while it answers: it goes when it is done, unless somebody asks for it again. */
        public boolean told;
        /** When a load began or a request last ended. */
        public Instant usedAt = Instant.EPOCH;
        /** Requests in progress. */
        public int busy;
        /** Options it was loaded with that another request has to share, as texts. */
        public Map<String, String> options = Map.of();
        /** Share of it that may be on the card: 0 for one that is to run on the processor. */
        public double cardShare = 1;
        /** Its weights were given back until somebody asks again; the process stays. */
        public boolean asleep;
        /** Answers of a router's model that are under way. */
        public final List<Answer> answers = new ArrayList<>();
        /** How many it has begun. */
        public long tasks;
        /** Its load is going to fail at {@link #readyAt}. */
        public boolean fails;

        public Loaded(Installed model) {
            this.model = model;
        }

        /** Its load never ends by itself. */
        public void hang() {
            readyAt = NEVER;
        }

        public boolean hangs() {
            return readyAt.equals(NEVER);
        }

        public boolean isReady(Instant now) {
            return !readyAt.isAfter(now);
        }

        /** Bytes that it wants of the card. */
        public long cardBytes() {
            return asleep ? 0 : Math.round(model.vramBytes() * cardShare);
        }

        /**
         * As {@code /api/ps} says it: the time to stay is set when the first use ends, and until then it is told as if that
         * were now, so it moves at every look (Ollama, PsHandler).
         */
        public Instant expiresAsTold(Instant now) {
            boolean firstUse = busy > 0 && !usedAt.isAfter(readyAt) && now.isAfter(readyAt) && expiresAt.isAfter(readyAt);
            return firstUse && expiresAt.isBefore(now.plus(FOR_EVER)) ? expiresAt.plus(Duration.between(readyAt, now)) : expiresAt;
        }

        /** Nobody uses it, and it has stayed for as long as it was to. */
        public boolean isOver(Instant now) {
            return busy == 0 && !readyAt.isAfter(now) && !expiresAt.isAfter(now);
        }
    }
}
