package dev.pitwall.site;

/** Where Prometheus is. */
public record MetricsAccess(Endpoint endpoint) {
}
