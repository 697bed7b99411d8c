package dev.pitwall.lab.fault;

/**
 * Which object of the cluster a fault changes.
 *
 * @param apiVersion for example {@code nvidia.com/v1}
 * @param namespace  empty for a cluster-scoped object
 */
public record ObjectRef(String apiVersion, String kind, String namespace, String name) {
}
