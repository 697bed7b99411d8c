package dev.pitwall.card;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Kubernetes node.
 *
 * @param systemUuid     {@code status.nodeInfo.systemUUID}, lower case; joins the node to its VM
 * @param capacity       extended resources, healthy and unhealthy devices, by resource name such as
 *                       {@code nvidia.com/gpu}; absent means no plugin ever registered, which differs from 0
 * @param allocatable    healthy devices only
 * @param bootId         changes each time the node's system starts
 * @param labels         {@code nvidia.com/*}, {@code feature.node.kubernetes.io/pci-*} and a few of Kubernetes' own
 */
public record NodeReport(String name, Optional<String> systemUuid, Map<String, String> labels, List<Taint> taints,
                         Map<String, Long> capacity, Map<String, Long> allocatable, List<Condition> conditions,
                         boolean unschedulable, Optional<String> kernel, Optional<String> osImage,
                         Optional<String> containerRuntime, Optional<String> kubeletVersion,
                         Optional<String> internalIp, Optional<String> bootId) {

    /** Of a node whose boot is not known. */
    public NodeReport(String name, Optional<String> systemUuid, Map<String, String> labels, List<Taint> taints,
                      Map<String, Long> capacity, Map<String, Long> allocatable, List<Condition> conditions,
                      boolean unschedulable, Optional<String> kernel, Optional<String> osImage,
                      Optional<String> containerRuntime, Optional<String> kubeletVersion, Optional<String> internalIp) {
        this(name, systemUuid, labels, taints, capacity, allocatable, conditions, unschedulable, kernel, osImage,
                containerRuntime, kubeletVersion, internalIp, Optional.empty());
    }

    public NodeReport {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        capacity = Map.copyOf(capacity);
        allocatable = Map.copyOf(allocatable);
        conditions = List.copyOf(conditions);
    }

    /** @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute} */
    public record Taint(String key, Optional<String> value, String effect) {
    }

    /** @param status {@code True}, {@code False} or {@code Unknown} */
    public record Condition(String type, String status, Optional<String> reason, Optional<String> message) {
    }
}
