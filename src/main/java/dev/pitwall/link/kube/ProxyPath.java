package dev.pitwall.link.kube;

import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.http.Limits;
import dev.pitwall.link.trust.Place;
import dev.pitwall.link.trust.Service;
import dev.pitwall.site.Endpoint;

import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/**
 * A service or pod behind the API server's proxy.
 *
 * @param resource {@code services} or {@code pods}
 * @param scheme   {@code http} or {@code https}, spoken by the service
 */
record ProxyPath(String resource, String namespace, String name, int port, String scheme) {

    static ProxyPath of(Endpoint.Service service) {
        return new ProxyPath("services", service.namespace(), service.name(), service.port(), service.scheme());
    }

    static ProxyPath of(Endpoint.Pod pod) {
        return new ProxyPath("pods", pod.namespace(), pod.name(), pod.port(), pod.scheme());
    }

    /** @param name what the person calls it */
    HttpReader reader(ApiServer server, Service service, String name, Limits limits) {
        OkHttpClient client = server.requests().newBuilder().addInterceptor(new ProxyRefusals(server, this)).build();
        return new HttpReader(client, url(server), new Place(service, name, namespace + "/" + this.name, port), limits,
                server.troubles());
    }

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
