package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.control.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of one container: from its start to its end. */
public interface Run {

    /** The pod as it is now. */
    PodFacts pod();

    /** The container as the pod's spec has it. */
    ObjectNode container();

    String containerName();

    /** Name of the node, which is also its name in the world. */
    String node();

    String podAddress();

    Instant startedAt();

    /** Devices that the kubelet gave to the container, by resource name, as the plugin had named them. */
    Map<String, List<String>> devices();

    /** The value of a variable of its environment, {@code valueFrom} resolved; empty if it has none. */
    Optional<String> environment(String name);

    /** All of its environment, in order. */
    Map<String, String> environment();

    /** What commands that were run in it have written on its files, by absolute path. */
    Map<String, byte[]> written();

    /** The containers of its pod that come before it and have run, with what they have written by now. */
    List<Neighbour> before();

    /**
     * Another container of a pod.
     *
     * @param container as the pod's spec has it
     * @param files     what was written in it, by absolute path
     */
    record Neighbour(ObjectNode container, Map<String, byte[]> files) {
    }

    /** The file a volume mount shows at a path of the container, for ConfigMaps and Secrets; empty if there is none. */
    Optional<String> mounted(String path);

    /** What the program wants to remember during this run. */
    Map<String, String> notes();

    /** The devices of the node. */
    DeviceBook book();
}
