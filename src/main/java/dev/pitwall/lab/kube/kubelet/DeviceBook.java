package dev.pitwall.lab.kube.kubelet;

import java.util.List;
import java.util.Map;

/**
 * A kubelet's book of the devices that plugins have registered with it, and of who has them. The node's capacity and
 * allocatable follow from it: a plugin that has gone leaves its resource with capacity 0 allocatable at once and keeps it in the
 * capacity for five minutes. [facts: cluster.md 2; kubelet device manager, endpointStopGracePeriod]
 */
public interface DeviceBook {

    /** A plugin has registered, or its list has changed. @param devices ids, each with whether it is healthy */
    void register(String resource, Map<String, Boolean> devices);

    /** A plugin has gone. */
    void withdraw(String resource);

    /** Ids of a resource that no container holds, healthy ones only. */
    List<String> free(String resource);
}
