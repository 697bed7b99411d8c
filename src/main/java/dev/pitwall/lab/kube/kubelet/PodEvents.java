package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.control.EventRecorder;
import java.time.Instant;

/** Events of pods in their kubelet's name. */
final class PodEvents {
    private final EventRecorder recorder;

    PodEvents(EventRecorder recorder) {
        this.recorder = recorder;
    }

    void record(PodRecord pod, EventRecorder.Type type, String reason, String message, Instant now) {
        recorder.record(pod.facts().object(), "v1", "Pod", type, "kubelet", pod.kubelet().name(), reason, message,
                now);
    }
}
