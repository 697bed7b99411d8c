package dev.pitwall.lab.kube.operator.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.container.LogSource;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Program;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.operator.program.Ground;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * {@code nfd-worker}: it looks at its node after about a minute, then again and again, and keeps what it has found in a
 * NodeFeature. (mission: "NFD takes a minute on first install")
 */
final class Worker implements Program {
    static final Resource FEATURES = new Resource("nfd.k8s-sigs.io", "nodefeatures");
    static final String NODE_LABEL = "nfd.node.kubernetes.io/node-name";
    private static final String CONFIG = "/etc/kubernetes/node-feature-discovery/nfd-worker.conf";
    private static final Duration FIRST_SCAN = Duration.ofSeconds(60);
    private static final String NEXT = "next";

    private final Ground ground;
    /** The workers of a cluster share one configuration, and each looks again and again. */
    private Read read = new Read("", WorkerConfig.parse(""));

    private record Read(String text, WorkerConfig config) {
    }

    Worker(Ground ground) {
        this.ground = ground;
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant next = Instant.parse(run.notes().computeIfAbsent(NEXT,
                key -> run.startedAt().plus(FIRST_SCAN).toString()));
        if (now.isBefore(next) && !ground.clock().isPast()) {
            return new Doing.Goes(true, next);
        }
        WorkerConfig config = config(run.mounted(CONFIG).orElse(""));
        Map<String, String> found = new Features(ground.machine(run)).labels(config);
        boolean news = !found.toString().equals(run.notes().get("published"));
        if (!now.isBefore(next)) {
            if (news) {
                publish(run, found);
                run.notes().put("published", found.toString());
            }
            run.notes().put(NEXT, now.plus(config.interval()).toString());
            return new Doing.Goes(true, ground.again(now, config.interval()));
        }
        // While the past is lived through, only looks with news are made.
        return new Doing.Goes(true, news ? next : Instant.MAX);
    }

    private WorkerConfig config(String text) {
        if (!text.equals(read.text())) {
            read = new Read(text, WorkerConfig.parse(text));
        }
        return read.config();
    }

    private void publish(Run run, Map<String, String> found) {
        ObjectKey key = new ObjectKey(FEATURES, run.pod().key().namespace(), run.node());
        ObjectNode spec = Json.object();
        spec.putObject("features");
        found.forEach(spec.putObject("labels")::put);
        boolean there = ground.hand().change(key, object -> {
            own(run, object);
            object.set("spec", spec);
        }).isPresent();
        if (!there) {
            ObjectNode object = Json.object();
            own(run, object);
            object.set("spec", spec);
            ground.hand().create(key, object);
        }
    }

    /** Its pod and the pod's DaemonSet own it, so it outlives the one pod and not both. */
    private static void own(Run run, ObjectNode object) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        metadata.withObjectProperty("labels").put(NODE_LABEL, run.node());
        ArrayNode owners = metadata.putArray("ownerReferences");
        owners.addObject().put("apiVersion", "v1").put("kind", "Pod").put("name", run.pod().key().name())
                .put("uid", run.pod().uid());
        run.pod().object().tree().at("/metadata/ownerReferences").forEach(owner -> owners.addObject()
                .put("apiVersion", owner.path("apiVersion").asText()).put("kind", owner.path("kind").asText())
                .put("name", owner.path("name").asText()).put("uid", owner.path("uid").asText()));
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        return ground.lines("nfd-worker", run, until);
    }
}
