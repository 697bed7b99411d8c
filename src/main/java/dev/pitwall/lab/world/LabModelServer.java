package dev.pitwall.lab.world;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A model server on one card. Touched only under the world's lock. */
public final class LabModelServer {
    public final String name;
    public String namespace = "";
    public String node = "";
    public String card = "";
    public String version = "";
    public Kind kind = Kind.OLLAMA;
    /** Most models that a router runs at once, {@code --models-max}; 0 means no limit. */
    public int mostLoaded = 4;
    /** Its machine runs and its card has a driver; follows from {@link Wiring#renew}. */
    public boolean up = true;
    public final List<Installed> installed = new ArrayList<>();
    /** In memory now. The lab's life removes what is idle and past its time, and lets models be loaded on demand. */
    public final List<Loaded> loaded = new ArrayList<>();

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

    public LabModelServer(String name) {
        this.name = name;
    }

    /** Lets go of models that nobody uses and whose time is over. The one rule of it; call it inside {@link World#change}. */
    public void dropExpired(Instant now) {
        loaded.removeIf(model -> model.isOver(now));
    }

    /** A model on the server's disk. Sizes in bytes; {@code vramBytes} is what it takes when loaded. */
    public record Installed(String name, String digest, long diskBytes, long vramBytes, String family,
                            String parameterSize, String quantization, int contextTokens, Instant modifiedAt) {
    }

    /** A model in memory. */
    public static final class Loaded {
        public final Installed model;
        public Instant readyAt = Instant.EPOCH;
        public Instant expiresAt = Instant.EPOCH;
        /** Requests in progress. */
        public int busy;

        /** Nobody uses it, and it has stayed for as long as it was to. */
        public boolean isOver(Instant now) {
            return busy == 0 && !readyAt.isAfter(now) && !expiresAt.isAfter(now);
        }

        public Loaded(Installed model) {
            this.model = model;
        }
    }
}
