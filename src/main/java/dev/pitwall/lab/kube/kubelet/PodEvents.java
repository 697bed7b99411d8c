package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.control.EventRecorder;
import dev.pitwall.lab.kube.control.EventRecorder.Source;
import dev.pitwall.lab.kube.control.EventRecorder.Subject;
import java.time.Instant;

/** Events of pods in their kubelet's name. */
final class PodEvents {
    private final EventRecorder recorder;

    PodEvents(EventRecorder recorder) {
        this.recorder = recorder;
    }

    void record(PodRecord pod, EventRecorder.Type type, String reason, String message, Instant now) {
        recorder.record(Subject.core(pod.facts().object(), "Pod"), new Source("kubelet", pod.kubelet().name()), type,
                reason, message, now);
    }
}
