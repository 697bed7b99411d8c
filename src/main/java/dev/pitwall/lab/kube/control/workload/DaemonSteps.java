package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.PodFacts;
import java.util.ArrayList;
import java.util.List;

/** What is to be done next for a DaemonSet: nodes that get a pod, and pods that go. */
record DaemonSteps(List<String> create, List<PodFacts> delete) {
    DaemonSteps() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    boolean isEmpty() {
        return create.isEmpty() && delete.isEmpty();
    }
}
