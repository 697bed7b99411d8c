package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.kube.kubelet.ContainerCell.State;
import dev.pitwall.lab.kube.store.Json;
import dev.pitwall.lab.kube.store.ObjectStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes a pod's status as its kubelet has it. Conditions and fields of others stay. */
final class PodStatus {
    private final PodRecord record;
    private final PodWork work;
    private final Instant now;

    PodStatus(PodRecord record, PodWork work, Instant now) {
        this.record = record;
        this.work = work;
        this.now = now;
    }

    void into(ObjectNode pod) {
        ObjectNode status = pod.withObjectProperty("status");
        String phase = work.phase();
        status.put("phase", phase);
        put(status, "reason", work.reason);
        put(status, "message", work.message);
        conditions(status, phase);
        String host = record.kubelet().machine().address();
        status.put("hostIP", host).putArray("hostIPs").addObject().put("ip", host);
        if (!work.address.isEmpty()) {
            status.put("podIP", work.address).putArray("podIPs").addObject().put("ip", work.address);
        }
        work.begun.ifPresent(begun -> status.put("startTime", time(begun)));
        status.put("qosClass", work.qos.name());
        if (work.step == PodWork.Step.REJECTED) {
            status.remove(List.of("initContainerStatuses", "containerStatuses"));
            return;
        }
        if (!work.init.isEmpty()) {
            containers(status.putArray("initContainerStatuses"), work.init);
        }
        containers(status.putArray("containerStatuses"), work.main);
    }

    /** Own conditions first, in the kubelet's order. */
    private void conditions(ObjectNode status, String phase) {
        Map<String, JsonNode> before = new HashMap<>();
        List<JsonNode> others = new ArrayList<>();
        List<String> own = List.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady");
        for (JsonNode each : status.path("conditions")) {
            String type = each.path("type").asText();
            if (own.contains(type)) {
                before.put(type, each);
            } else {
                others.add(each);
            }
        }
        ArrayNode conditions = status.putArray("conditions");
        if (work.step == PodWork.Step.REJECTED) {
            others.forEach(conditions::add);
            return;
        }
        boolean sandbox = work.step == PodWork.Step.CONTAINERS;
        boolean succeeded = phase.equals("Succeeded");
        boolean initialized = work.initialized() || succeeded;
        List<String> unready = work.cells().filter(ContainerCell::counts).filter(cell -> !cell.ready)
                .map(cell -> cell.name).toList();
        boolean ready = unready.isEmpty() && initialized && phase.equals("Running");
        add(conditions, before, "PodReadyToStartContainers", sandbox, "", "");
        add(conditions, before, "Initialized", initialized, succeeded ? "PodCompleted"
                : initialized ? "" : "ContainersNotInitialized", initialized ? ""
                : names("incomplete status", work.init.stream().filter(cell -> !done(cell)).map(cell -> cell.name)
                .toList()));
        String reason = ready ? "" : succeeded ? "PodCompleted" : phase.equals("Failed") ? "PodFailed"
                : "ContainersNotReady";
        String message = reason.equals("ContainersNotReady") ? names("unready status", unready) : "";
        add(conditions, before, "Ready", ready && !work.unheard, reason, message);
        add(conditions, before, "ContainersReady", ready, reason, message);
        if (others.stream().noneMatch(each -> each.path("type").asText().equals("PodScheduled"))) {
            add(conditions, before, "PodScheduled", true, "", "");
        }
        others.forEach(conditions::add);
    }

    private static boolean done(ContainerCell cell) {
        return cell.kind == ContainerCell.Kind.SIDECAR ? cell.started : cell.succeeded();
    }

    private static String names(String what, List<String> names) {
        return "containers with " + what + ": [" + String.join(" ", names) + "]";
    }

    private void add(ArrayNode conditions, Map<String, JsonNode> before, String type, boolean is, String reason,
                     String message) {
        String value = is ? "True" : "False";
        JsonNode old = before.get(type);
        boolean same = old != null && old.path("status").asText().equals(value);
        ObjectNode condition = conditions.addObject().put("type", type).put("status", value);
        condition.putNull("lastProbeTime");
        condition.put("lastTransitionTime", same ? old.path("lastTransitionTime").asText() : time(now));
        put(condition, "reason", reason);
        put(condition, "message", message);
    }

    private void containers(ArrayNode list, List<ContainerCell> cells) {
        cells.forEach(cell -> list.add(container(cell)));
    }

    private static ObjectNode container(ContainerCell cell) {
        ObjectNode status = Json.object().put("name", cell.name);
        status.set("state", state(cell.state));
        ObjectNode last = status.putObject("lastState");
        if (!(cell.state instanceof State.Over) || cell.restarts > 0) {
            cell.last.ifPresent(end -> last.set("terminated", terminated(end)));
        }
        boolean ran = cell.ran();
        ImageName image = ImageName.of(cell.image);
        status.put("ready", cell.kind == ContainerCell.Kind.INIT ? cell.succeeded() : cell.ready)
                .put("restartCount", cell.restarts).put("image", ran ? image.reference() : cell.image)
                .put("imageID", ran ? image.id() : "");
        cell.running().map(ContainerRun::id).or(() -> cell.ended().map(End::containerId))
                .or(() -> cell.last.map(End::containerId)).ifPresent(id -> status.put("containerID", id));
        return status.put("started", cell.running().isPresent() && cell.started);
    }

    private static ObjectNode state(State state) {
        ObjectNode node = Json.object();
        switch (state) {
            case State.Waiting waiting -> {
                ObjectNode body = node.putObject("waiting").put("reason", waiting.reason());
                put(body, "message", waiting.message());
            }
            case State.Running running -> node.putObject("running").put("startedAt",
                    time(running.run().startedAt()));
            case State.Over over -> node.set("terminated", terminated(over.end()));
        }
        return node;
    }

    private static ObjectNode terminated(End end) {
        ObjectNode body = Json.object().put("exitCode", end.exitCode()).put("reason", end.reason());
        put(body, "message", end.message());
        return body.put("startedAt", time(end.from())).put("finishedAt", time(end.to()))
                .put("containerID", end.containerId());
    }

    private static void put(ObjectNode node, String name, String value) {
        if (!value.isEmpty()) {
            node.put(name, value);
        }
    }

    private static String time(Instant time) {
        return ObjectStore.timestamp(time);
    }
}
