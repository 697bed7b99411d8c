package dev.pitwall.lab.fault;

import dev.pitwall.lab.world.LabModelServer;
import dev.pitwall.lab.world.LabModelServer.Installed;
import dev.pitwall.lab.world.LabModelServer.Loaded;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Faults of the model servers whose world part has to be computed. */
final class ModelFaults {
    private static final String MODEL = "llama3.1:8b";
    /** All that it was trained for. */
    private static final int CONTEXT = 131_072;
    /** Keys and values of its 32 layers with 8 heads of 128 numbers, two bytes each. */
    private static final long BYTES_PER_TOKEN = 2L * 2 * 32 * 8 * 128;
    /** Ollama's "for ever", as {@code keep_alive: -1} asks. */
    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    private ModelFaults() {
    }

    static Map<String, FaultEffect> all() {
        return Map.of("model-does-not-fit-vram", new FaultEffect(scope -> tooLong(scope).isPresent(),
                ModelFaults::loadTooLong));
    }

    /** The model with a context that takes more than the card has; empty where it fits. */
    private static Optional<Installed> tooLong(FaultScope scope) {
        return scope.server().stream().flatMap(server -> server.installed.stream())
                .filter(model -> model.name().equals(MODEL))
                .map(model -> model.taking(model.vramBytes() + CONTEXT * BYTES_PER_TOKEN))
                .filter(model -> model.vramBytes() > scope.card().vramMiB << 20).findFirst();
    }

    private static void loadTooLong(FaultScope scope) {
        LabModelServer server = scope.server().orElseThrow();
        List<Loaded> before = List.copyOf(server.loaded);
        Loaded loaded = new Loaded(tooLong(scope).orElseThrow());
        loaded.options = Map.of("num_ctx", Integer.toString(CONTEXT));
        loaded.readyAt = scope.now();
        loaded.usedAt = scope.now();
        loaded.expiresAt = scope.now().plus(FOR_EVER);
        server.loaded.clear();
        server.loaded.add(loaded);
        scope.undoWith(() -> {
            server.loaded.remove(loaded);
            before.stream().filter(model -> !server.loaded.contains(model)).forEach(server.loaded::add);
        });
    }
}
