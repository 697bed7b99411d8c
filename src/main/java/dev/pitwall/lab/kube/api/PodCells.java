package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.JsonNode;

import dev.pitwall.lab.kube.object.Conditions;
import dev.pitwall.lab.kube.object.PodLife;
import java.time.Instant;
import java.util.Optional;

/**
 * The Ready, Status and Restarts cells of a pod, which no field of the pod holds. The rules are those of
 * {@code printPod} in Kubernetes' internal printers.
 */
final class PodCells {
    private static final String GATED = "SchedulingGated";

    private final JsonNode pod;
    private final Instant now;

    PodCells(JsonNode pod, Instant now) {
        this.pod = pod;
        this.now = now;
    }

    String ready() {
        long ready = 0;
        for (JsonNode container : pod.at("/status/containerStatuses")) {
            ready += container.path("ready").asBoolean() ? 1 : 0;
        }
        return ready + "/" + pod.at("/spec/containers").size();
    }

    String restarts() {
        boolean initializing = initReason().isPresent();
        long restarts = 0;
        String last = "";
        for (JsonNode container : pod.at(initializing ? "/status/initContainerStatuses"
                : "/status/containerStatuses")) {
            restarts += container.path("restartCount").asLong();
            String finished = container.at("/lastState/terminated/finishedAt").asText("");
            last = finished.compareTo(last) > 0 ? finished : last;
        }
        return restarts == 0 || last.isEmpty() ? Long.toString(restarts)
                : restarts + " (" + Ages.since(last, now) + " ago)";
    }

    String status() {
        String phase = pod.at("/status/phase").asText();
        if (pod.at("/metadata").has("deletionTimestamp")) {
            return PodLife.isOver(phase) ? containersReason(phase) : "Terminating";
        }
        String reason = isGated() ? GATED : pod.at("/status/reason").asText(phase);
        return initReason().orElseGet(() -> containersReason(reason));
    }

    private boolean isGated() {
        return Conditions.find(pod, "PodScheduled").path("reason").asText("").equals(GATED);
    }

    private Optional<String> initReason() {
        JsonNode statuses = pod.at("/status/initContainerStatuses");
        for (int i = 0; i < statuses.size(); i++) {
            JsonNode state = statuses.path(i).path("state");
            JsonNode terminated = state.path("terminated");
            JsonNode waiting = state.path("waiting");
            if (terminated.isObject()) {
                if (terminated.path("exitCode").asInt() != 0) {
                    return Optional.of("Init:" + terminatedReason(terminated));
                }
                continue;
            }
            String reason = waiting.path("reason").asText("");
            boolean named = !reason.isEmpty() && !reason.equals("PodInitializing");
            return Optional.of(named ? "Init:" + reason
                    : "Init:" + i + "/" + pod.at("/spec/initContainers").size());
        }
        return Optional.empty();
    }

    private String containersReason(String before) {
        String reason = before;
        boolean running = false;
        JsonNode statuses = pod.at("/status/containerStatuses");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            JsonNode state = statuses.path(i).path("state");
            if (!state.at("/waiting/reason").asText("").isEmpty()) {
                reason = state.at("/waiting/reason").asText();
            } else if (state.path("terminated").isObject()) {
                reason = terminatedReason(state.path("terminated"));
            } else if (statuses.path(i).path("ready").asBoolean() && state.path("running").isObject()) {
                running = true;
            }
        }
        return reason.equals("Completed") && running ? "Running" : reason;
    }

    private static String terminatedReason(JsonNode terminated) {
        String reason = terminated.path("reason").asText("");
        return reason.isEmpty() ? "ExitCode:" + terminated.path("exitCode").asInt() : reason;
    }
}
