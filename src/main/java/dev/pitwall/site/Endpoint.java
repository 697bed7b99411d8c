package dev.pitwall.site;

import java.net.URI;

/** Where an HTTP service is: at a URL, or in the cluster and reached through the API server's proxy. */
public sealed interface Endpoint {

    record Url(URI url) implements Endpoint {
    }

    /** @param scheme {@code http} or {@code https}, spoken by the service */
    record Service(String namespace, String name, int port, String scheme) implements Endpoint {
    }

    /** One pod, for exporters of which every node has one. */
    record Pod(String namespace, String name, int port, String scheme) implements Endpoint {
    }
}
