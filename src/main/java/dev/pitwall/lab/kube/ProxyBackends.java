package dev.pitwall.lab.kube;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * What answers behind the API server's proxy. A cluster's services and pods are objects in the store; the sockets that
 * speak for them are elsewhere in this process and are registered here. Safe for any number of threads.
 */
public final class ProxyBackends {
    private record Service(String namespace, String name, int port) {
    }

    private record Pods(String namespace, String app, int port) {
    }

    /** Answers for Services that come and go. */
    @FunctionalInterface
    public interface Changing {
        /** @return empty for a Service it does not stand for */
        Optional<URI> backend(String namespace, String name, int port);
    }

    /** Answers for single pods, whatever their labels. */
    @FunctionalInterface
    public interface Single {
        /** @param port container port; empty if nothing of it listens there now */
        Optional<URI> backend(String namespace, String name, int port);
    }

    private final List<Single> single = new CopyOnWriteArrayList<>();
    private final List<Changing> changing = new CopyOnWriteArrayList<>();
    private final Map<Service, URI> services = new ConcurrentHashMap<>();
    private final Map<Pods, Function<String, Optional<URI>>> pods = new ConcurrentHashMap<>();

    /** @param port the Service's port; {@code backend} is the address its path is put after */
    public void service(String namespace, String name, int port, URI backend) {
        services.put(new Service(namespace, name, port), backend);
    }

    /** Asked for every Service that has no fixed backend, in the order they were added. */
    public void services(Changing backends) {
        changing.add(backends);
    }

    /**
     * Pods that share the label {@code app}, such as a DaemonSet's.
     *
     * @param port   container port
     * @param byNode the backend of the pod on a node; empty if none answers there
     */
    public void pods(String namespace, String app, int port, Function<String, Optional<URI>> byNode) {
        pods.put(new Pods(namespace, app, port), byNode);
    }

    /** Asked for every pod by its name, in the order they were added. */
    public void pods(Single backends) {
        single.add(backends);
    }

    /** What answers for a pod's port, asked by the pod's own name. */
    public Optional<URI> pod(String namespace, String name, int port) {
        return single.stream().flatMap(backends -> backends.backend(namespace, name, port).stream()).findFirst();
    }

    public Optional<URI> service(String namespace, String name, int port) {
        return Optional.ofNullable(services.get(new Service(namespace, name, port))).or(() -> changing.stream()
                .flatMap(backends -> backends.backend(namespace, name, port).stream()).findFirst());
    }

    public Optional<URI> pod(String namespace, String app, int port, String node) {
        return Optional.ofNullable(pods.get(new Pods(namespace, app, port))).flatMap(by -> by.apply(node));
    }
}
