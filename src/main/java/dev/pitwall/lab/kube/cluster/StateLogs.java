package dev.pitwall.lab.kube.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pitwall.lab.kube.api.LogSource;
import dev.pitwall.lab.world.World;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Container output that follows from the container's state and from how long it has run. */
final class StateLogs implements LogSource {
    private static final DateTimeFormatter KLOG = DateTimeFormatter.ofPattern("MMdd HH:mm:ss.000000")
            .withZone(ZoneOffset.UTC);

    private final World world;
    private final ClusterData data;
    private final Texts texts;

    StateLogs(World world, ClusterData data, Texts texts) {
        this.world = world;
        this.data = data;
        this.texts = texts;
    }

    @Override
    public List<Line> lines(JsonNode pod, String container, Run run) {
        JsonNode status = status(pod, container);
        JsonNode died = status.at("/lastState/terminated");
        JsonNode state = status.path("state");
        boolean waiting = state.path("waiting").isObject();
        if (run == Run.PREVIOUS || waiting && died.isObject()) {
            return script(pod, container, started(died), Instant.parse(died.path("finishedAt").asText()));
        }
        JsonNode now = state.path("running").isObject() ? state.path("running") : state.path("terminated");
        boolean done = now.has("finishedAt") && now.path("exitCode").asInt() == 0;
        // A container that came to its end has written everything; one that was killed, what it came to.
        Instant end = done ? Instant.MAX : now.has("finishedAt") ? Instant.parse(now.path("finishedAt").asText())
                : world.clock().instant();
        return script(pod, container, started(now), end);
    }

    private static Instant started(JsonNode state) {
        return Instant.parse(state.path("startedAt").asText());
    }

    private List<Line> script(JsonNode pod, String container, Instant start, Instant end) {
        ClusterView view = ClusterView.of(world);
        Optional<ClusterView.Node> node = view.node(pod.at("/spec/nodeName").asText());
        Map<String, String> values = values(start, node);
        List<Line> lines = new ArrayList<>();
        for (Texts.LogLine line : texts.log(scriptName(view, node, container), values)) {
            Instant at = start.plusSeconds(line.after());
            if (!at.isAfter(end)) {
                lines.add(new Line(at, line.text()));
            }
        }
        return lines;
    }

    private static String scriptName(ClusterView view, Optional<ClusterView.Node> node, String container) {
        if (node.isEmpty()) {
            return container;
        }
        Map<Trap, String> variants = switch (container) {
            case "nvidia-driver-ctr" -> Map.of(Trap.DRIVER_OOM_WHILE_COMPILING, "oom");
            case "nvidia-dcgm-exporter" -> Map.of(Trap.DCGM_EXPORTER_OOM, "oom");
            case "nvidia-container-toolkit-ctr" -> Map.of(Trap.CONTAINERD_SOCKET_WRONG_PATH, "socket",
                    Trap.RUNTIME_HANDLER_NOT_CONFIGURED, "handler");
            default -> Map.of();
        };
        return variants.entrySet().stream().filter(entry -> view.fault(entry.getKey(), node.get()).isPresent())
                .map(entry -> container + "/" + entry.getValue()).findFirst().orElse(container);
    }

    private Map<String, String> values(Instant start, Optional<ClusterView.Node> node) {
        Map<String, String> values = new HashMap<>();
        values.put("start", start.toString());
        values.put("mmdd", KLOG.format(start));
        values.put("driver", data.operator().driverVersion());
        values.put("chart", data.operator().chart());
        node.ifPresent(on -> {
            values.put("node", on.name());
            values.put("kernel", on.kernel());
            on.cards().stream().findFirst().ifPresent(card -> {
                values.put("gpu", card.uuid());
                values.put("product", card.product());
            });
        });
        return values;
    }

    private static JsonNode status(JsonNode pod, String container) {
        for (String list : List.of("/status/containerStatuses", "/status/initContainerStatuses")) {
            for (JsonNode status : pod.at(list)) {
                if (status.path("name").asText().equals(container)) {
                    return status;
                }
            }
        }
        return MissingNode.getInstance();
    }
}
