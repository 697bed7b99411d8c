package dev.pitwall.ui.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.PodRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Proofs of cards as the journal has them. */
public final class SampleProofs {

    public static final String UUID = "GPU-c81e40d7-39fa-4b52-8e6d-91a3d5c0be22";

    private SampleProofs() {
    }

    /** The pod that computes. */
    public static PodRun pod(String card, String host) {
        return pod(card, host, "vectoradd", "Test PASSED");
    }

    private static PodRun pod(String card, String host, String kind, String expects) {
        String name = "pitwall-" + kind + "-" + host + "-01-00";
        return new PodRun("garage", new ObjectRef(ObjectType.POD, "default", name), manifest(name, host, kind), card, expects,
                Duration.ofSeconds(30), Duration.ofMinutes(7), "computes on the card, on worker-" + host);
    }

    private static JsonNode manifest(String name, String host, String kind) {
        try {
            return new JsonMapper().readTree("""
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default",
                     "labels": {"pitwall.dev/proof": "%s"},
                     "annotations": {"pitwall.dev/boot": "b-1", "pitwall.dev/driver": "570.133.20"}},
                     "spec": {"nodeSelector": {"kubernetes.io/hostname": "worker-%s"},
                      "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
                      "securityContext": {"runAsUser": 1000},
                      "containers": [{"name": "%s", "image": "nvcr.io/nvidia/k8s/cuda-sample:vectoradd",
                       "resources": {"limits": {"cpu": "1", "nvidia.com/gpu": 1}}}]}}""".formatted(name, kind, host, kind));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** Both pods passed. */
    public static RunRecord passed(long number, String card, String host, Instant ended) {
        return run(number, card, host, RunRecord.State.DONE, List.of(listed(card, host, ended),
                computed(card, host, ChangeRecord.State.DONE, "Test PASSED in 16 s\n[Vector addition of 50000 elements]\n"
                        + "Test PASSED\nDone", ended)), ended);
    }

    /** The cards were listed, and the pod that computes failed. */
    public static RunRecord failed(long number, String card, String host, Instant ended) {
        return run(number, card, host, RunRecord.State.FAILED, List.of(listed(card, host, ended),
                computed(card, host, ChangeRecord.State.FAILED, "it ended as Failed without \"Test PASSED\": out of memory",
                        ended)), ended);
    }

    private static ChangeRecord listed(String card, String host, Instant ended) {
        return new ChangeRecord(1, "proof", pod(card, host, "nvidia-smi", "GPU-"), ChangeRecord.State.DONE, Optional.empty(),
                Optional.of("GPU- in 2 s\n00000000:01:00.0, " + UUID + ", NVIDIA RTX A1000, 570.133.20"),
                Optional.of(ended.minusSeconds(20)), Optional.of(ended.minusSeconds(17)));
    }

    private static ChangeRecord computed(String card, String host, ChangeRecord.State state, String message, Instant ended) {
        return new ChangeRecord(2, "proof", pod(card, host), state, Optional.empty(), Optional.of(message),
                Optional.of(ended.minusMillis(6200)), Optional.of(ended));
    }

    private static RunRecord run(long number, String card, String host, RunRecord.State state, List<ChangeRecord> changes,
                                 Instant ended) {
        return new RunRecord(number, "basement-id", "Prove the card", host,
                Optional.of(new RunRecord.CardRef(card, "RTX A1000")), "you, from this computer", Optional.empty(),
                ended.minusSeconds(21), Optional.of(ended), state, Optional.empty(), changes);
    }
}
