package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * A probe of a container.
 *
 * @param failing what the kubelet reports while nothing answers; {@code {ip}} stands for the pod's address
 */
record Probe(Duration initialDelay, Duration period, int failures, String failing) {

    /** @return empty if the container has no such probe */
    static Optional<Probe> of(JsonNode container, String kind) {
        JsonNode probe = container.path(kind);
        if (!probe.isObject()) {
            return Optional.empty();
        }
        return Optional.of(new Probe(Duration.ofSeconds(probe.path("initialDelaySeconds").asInt(0)),
                Duration.ofSeconds(Math.max(1, probe.path("periodSeconds").asInt(10))),
                Math.max(1, probe.path("failureThreshold").asInt(3)), failing(probe, container)));
    }

    private static String failing(JsonNode probe, JsonNode container) {
        if (probe.has("httpGet")) {
            String address = "{ip}:" + port(probe.at("/httpGet/port"), container);
            String path = probe.at("/httpGet/path").asText("/");
            return "Get \"" + probe.at("/httpGet/scheme").asText("HTTP").toLowerCase(Locale.ROOT) + "://"
                    + address + (path.startsWith("/") ? "" : "/") + path + "\": dial tcp " + address
                    + ": connect: connection refused";
        }
        if (probe.has("tcpSocket")) {
            return "dial tcp {ip}:" + port(probe.at("/tcpSocket/port"), container) + ": connect: connection refused";
        }
        if (probe.has("grpc")) {
            return "timeout: failed to connect service \"{ip}:" + probe.at("/grpc/port").asInt()
                    + "\" within 1s: context deadline exceeded";
        }
        return "";
    }

    private static String port(JsonNode port, JsonNode container) {
        for (JsonNode named : container.path("ports")) {
            if (named.path("name").asText("").equals(port.asText())) {
                return named.path("containerPort").asText();
            }
        }
        return port.asText();
    }
}
