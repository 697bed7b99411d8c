package dev.pitwall.lab.kube;

import java.net.URI;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The sockets of those servers of the lab that are, in its cluster, processes in containers. They register when they
 * start; what asks for them sooner gets none. Safe for any number of threads.
 */
public final class ProcessSockets {
    private final AtomicReference<Function<String, Optional<URI>>> exporters = new AtomicReference<>(node -> Optional.empty());
    private final AtomicReference<Function<String, Optional<URI>>> models = new AtomicReference<>(name -> Optional.empty());
    private final AtomicReference<Supplier<Optional<URI>>> prometheus = new AtomicReference<>(Optional::empty);

    /** @param byNode the DCGM exporter of a node */
    public void exporters(Function<String, Optional<URI>> byNode) {
        exporters.set(byNode);
    }

    /** @param byName a model server by the name of its workload */
    public void models(Function<String, Optional<URI>> byName) {
        models.set(byName);
    }

    public void prometheus(URI uri) {
        prometheus.set(() -> Optional.of(uri));
    }

    Optional<URI> exporter(String node) {
        return exporters.get().apply(node);
    }

    Optional<URI> model(String name) {
        return models.get().apply(name);
    }

    Optional<URI> prometheus() {
        return prometheus.get().get();
    }
}
