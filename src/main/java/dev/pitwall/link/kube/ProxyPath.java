package dev.pitwall.link.kube;

import okhttp3.HttpUrl;

/**
 * A service or pod behind the API server's proxy.
 *
 * @param resource {@code services} or {@code pods}
 * @param scheme   {@code http} or {@code https}, spoken by the service
 */
record ProxyPath(String resource, String namespace, String name, int port, String scheme) {

    /** With a slash at its end, for paths to follow. The scheme's default is left out, as kubectl does. */
    HttpUrl url(ApiServer server) {
        String prefix = scheme.equals("https") ? "https:" : "";
        return server.url("/api/v1/namespaces/" + namespace + "/" + resource + "/" + prefix + name + ":" + port
                + "/proxy/").build();
    }

    /** As a person names it, for example {@code models/ollama:11434}. */
    String where() {
        return namespace + "/" + name + ":" + port;
    }

    String kind() {
        return resource.equals("pods") ? "pod" : "service";
    }
}
