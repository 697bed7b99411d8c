package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.admit.AdmissionRefusal;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.NameSuffix;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * {@code nvidia-validator} with a workload: it creates a pod that runs the CUDA sample on this node, and waits for it
 * to succeed. The CUDA one asks for no card; the plugin's one does. (facts: cluster.md 1.4)
 */
final class WorkloadValidation extends ScriptedProgram {
    /** So often it looks how its pod is. [gpu-operator: podCreationSleepInterval] */
    private static final Duration LOOKS = Duration.ofSeconds(5);
    private final Kind kind;

    /** Which workload. */
    enum Kind {
        CUDA("nvidia-cuda-validator", "cuda-validation", "cuda-ready"),
        PLUGIN("nvidia-device-plugin-validator", "plugin-validation", "plugin-ready");

        private final String app;
        private final String init;
        private final String file;

        Kind(String app, String init, String file) {
            this.app = app;
            this.init = init;
            this.file = file;
        }
    }

    WorkloadValidation(Ground ground, Kind kind) {
        super(ground);
        this.kind = kind;
    }

    @Override
    String script(Run run) {
        return kind.init + "/validator";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant begins = at(run, "workloadBegins");
        if (now.isBefore(begins)) {
            return waits(begins);
        }
        if (!run.notes().containsKey("pod")) {
            try {
                run.notes().put("pod", created(run));
            } catch (AdmissionRefusal refused) {
                return fails(run, now, 1, List.of(refused.getMessage()));
            }
        }
        String name = run.notes().get("pod");
        Optional<PodFacts> pod = ground.pods().find(new ObjectKey(Resource.PODS, run.pod().key().namespace(), name));
        if (pod.map(PodFacts::phase).filter("Succeeded"::equals).isPresent()) {
            ground.machine(run).write(NodeMachine.VALIDATIONS + kind.file, "");
            return done(now);
        }
        Instant end = at(run, "workloadTimeout");
        Instant next = now.plus(LOOKS);
        return now.isBefore(end) ? waits(next.isBefore(end) ? next : end)
                : fails(run, now, 1, List.of(text("workloadTimeout", run)));
    }

    private String created(Run run) {
        String namespace = run.pod().key().namespace();
        ground.pods().onNode(run.node()).stream().filter(pod -> kind.app.equals(pod.labels().get("app")))
                .forEach(pod -> ground.hand().delete(pod.key(), 0));
        String name = kind.app + "-" + suffix(run);
        ground.hand().create(new ObjectKey(Resource.PODS, namespace, name), pod(run));
        return name;
    }

    /** As the API server's generator writes one, the same for the same run. */
    private static String suffix(Run run) {
        return NameSuffix.of(new Random((run.pod().uid() + "/" + run.startedAt()).hashCode()));
    }

    /** The ClusterPolicy owns it, as it owns the validator's DaemonSet. */
    private Optional<JsonNode> policy(Run run, JsonNode pod) {
        return ground.hand().find(new ObjectKey(Resource.DAEMON_SETS, run.pod().key().namespace(),
                pod.at("/metadata/ownerReferences/0/name").asText()))
                .map(set -> set.tree().at("/metadata/ownerReferences")).filter(JsonNode::isArray);
    }

    private ObjectNode pod(Run run) {
        JsonNode owner = run.pod().object().tree();
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata");
        metadata.putObject("labels").put("app", kind.app).put("app.kubernetes.io/part-of", "gpu-operator")
                .put("app.kubernetes.io/managed-by", "gpu-operator");
        policy(run, owner).ifPresent(reference -> metadata.set("ownerReferences", reference));
        ObjectNode spec = pod.putObject("spec");
        spec.put("nodeName", run.node()).put("restartPolicy", "OnFailure")
                .put("serviceAccountName", "nvidia-operator-validator");
        for (String kept : List.of("tolerations", "runtimeClassName", "priorityClassName")) {
            if (owner.path("spec").has(kept)) {
                spec.set(kept, owner.path("spec").path(kept).deepCopy());
            }
        }
        String image = run.container().path("image").asText();
        ObjectNode sample = spec.putArray("initContainers").addObject();
        sample.put("name", kind.init).put("image", image).put("imagePullPolicy", "IfNotPresent");
        sample.putArray("command").add("sh").add("-c");
        sample.putArray("args").add("vectorAdd");
        sample.putObject("securityContext").put("privileged", true);
        if (kind == Kind.CUDA) {
            sample.putArray("env").addObject().put("name", "NVIDIA_VISIBLE_DEVICES").put("value", "all");
        } else {
            sample.putObject("resources").putObject("limits").put("nvidia.com/gpu", "1");
        }
        ObjectNode main = spec.putArray("containers").addObject();
        main.put("name", kind.app).put("image", image).put("imagePullPolicy", "IfNotPresent");
        main.putArray("command").add("sh").add("-c");
        main.putArray("args").add("echo " + (kind == Kind.CUDA ? "cuda" : "device-plugin")
                + " workload validation is successful");
        main.putObject("securityContext").put("privileged", true);
        return pod;
    }
}
