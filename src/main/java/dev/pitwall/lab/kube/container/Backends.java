package dev.pitwall.lab.kube.container;

import java.net.URI;
import java.util.Optional;

/** What listens in the cluster's containers, as the sockets of this process. Safe for any number of threads. */
public interface Backends {

    /** @param port container port; empty if nothing in the pod listens there now */
    Optional<URI> pod(String namespace, String name, int port);

    /** @param port the Service's own; empty if nothing behind it listens there now */
    Optional<URI> service(String namespace, String name, int port);
}
