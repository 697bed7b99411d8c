package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;

import java.time.Instant;

/** The container statuses of one pod, as a kubelet writes them. */
final class ContainerStatuses {
    private final PodPlan plan;
    private final String pod;
    private final PodLife life;

    ContainerStatuses(PodPlan plan, String pod, PodLife life) {
        this.plan = plan;
        this.pod = pod;
        this.life = life;
    }

    void into(ObjectNode status) {
        if (!plan.init.isEmpty()) {
            ArrayNode init = status.putArray("initContainerStatuses");
            for (int i = 0; i < plan.init.size(); i++) {
                init.add(initStatus(i));
            }
        }
        status.putArray("containerStatuses").add(mainStatus());
    }

    private ObjectNode initStatus(int index) {
        PodPlan.Container container = plan.init.get(index);
        return switch (life) {
            case PodLife.Held held -> entry(container, waiting("PodInitializing", ""), false, false, 0);
            case PodLife.Initializing initializing when index == initializing.done() ->
                    entry(container, running(initializing.since()), false, true, 0);
            case PodLife.Initializing initializing when index > initializing.done() ->
                    entry(container, waiting("PodInitializing", ""), false, false, 0);
            default -> entry(container, terminated(life.born(), life.born().plusSeconds(1L + index), 0, "Completed",
                    container), true, false, 0);
        };
    }

    private ObjectNode mainStatus() {
        PodPlan.Container main = plan.main;
        return switch (life) {
            case PodLife.Unscheduled u -> entry(main, waiting("ContainerCreating", ""), false, false, 0);
            case PodLife.Held h -> entry(main, waiting(plan.init.isEmpty() ? "ContainerCreating" : "PodInitializing",
                    ""), false, false, 0);
            case PodLife.Initializing i -> entry(main, waiting(plan.init.isEmpty() ? "ContainerCreating"
                    : "PodInitializing", ""), false, false, 0);
            case PodLife.NoImage noImage -> entry(main, waiting(noImage.reason(), noImage.message()), false, false, 0);
            case PodLife.Starting starting -> entry(main, running(starting.started()), false, true,
                    starting.restarts());
            case PodLife.Running running -> entry(main, running(running.started()), true, true, 0);
            case PodLife.Terminating terminating -> entry(main, running(terminating.started()), false, true, 0);
            case PodLife.Finished finished -> entry(main, terminated(finished.started(), finished.ended(), 0,
                    "Completed", main), false, false, 0);
            case PodLife.Crashing crashing -> crashed(main, crashing);
        };
    }

    private ObjectNode crashed(PodPlan.Container main, PodLife.Crashing crashing) {
        long backOff = Math.min(300, 10L << Math.min(5, crashing.restarts()));
        String message = "back-off " + backOffText(backOff) + " restarting failed container=" + main.name() + " pod="
                + pod + "_" + plan.namespace;
        ObjectNode status = entry(main, waiting("CrashLoopBackOff", message), false, false, crashing.restarts());
        status.putObject("lastState").setAll(terminated(crashing.started(), crashing.ended(), crashing.exitCode(),
                crashing.reason(), main));
        return status;
    }

    private static String backOffText(long seconds) {
        return seconds < 60 ? seconds + "s" : seconds / 60 + "m" + seconds % 60 + "s";
    }

    private ObjectNode entry(PodPlan.Container container, ObjectNode state, boolean ready, boolean started,
                             int restarts) {
        ObjectNode status = Json.object().put("name", container.name()).put("image", container.image());
        boolean ran = state.has("running") || state.has("terminated");
        status.put("imageID", ran ? container.image() + "@sha256:"
                + Names.uid(container.image()).replace("-", "").repeat(2) : "");
        if (ran) {
            status.put("containerID", id(container));
        }
        status.put("ready", ready).put("started", started).put("restartCount", restarts);
        status.set("state", state);
        status.putObject("lastState");
        return status;
    }

    private String id(PodPlan.Container container) {
        return "containerd://" + Names.uid(pod + container.name()).replace("-", "").repeat(2);
    }

    private static ObjectNode waiting(String reason, String message) {
        ObjectNode state = Json.object();
        ObjectNode waiting = state.putObject("waiting").put("reason", reason);
        if (!message.isEmpty()) {
            waiting.put("message", message);
        }
        return state;
    }

    private static ObjectNode running(Instant since) {
        ObjectNode state = Json.object();
        state.putObject("running").put("startedAt", ObjectStore.timestamp(since));
        return state;
    }

    private ObjectNode terminated(Instant from, Instant to, int exitCode, String reason,
                                  PodPlan.Container container) {
        ObjectNode state = Json.object();
        state.putObject("terminated").put("exitCode", exitCode).put("reason", reason)
                .put("startedAt", ObjectStore.timestamp(from)).put("finishedAt", ObjectStore.timestamp(to))
                .put("containerID", id(container));
        return state;
    }
}
