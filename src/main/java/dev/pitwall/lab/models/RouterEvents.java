package dev.pitwall.lab.models;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.lab.models.RouterJson.Status;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one listener of {@code GET /models/sse} has not been told yet: the difference to what it was told last. */
final class RouterEvents {
    private final World world;
    private final Router router;
    private final RouterJson shapes;
    private Map<String, Status> told;
    private int reloads;

    RouterEvents(World world, Router router, RouterJson shapes) {
        this.world = world;
        this.router = router;
        this.shapes = shapes;
        this.told = now();
        this.reloads = reloads();
    }

    private Map<String, Status> now() {
        router.settle();
        return world.read(w -> router.server(w).map(server -> shapes.statuses(server, w.clock().instant()))
                .orElse(Map.of()));
    }

    private int reloads() {
        return world.read(w -> router.server(w).map(server -> server.reloads).orElse(0));
    }

    /** Events since the last call, in order. */
    List<ObjectNode> next() {
        Map<String, Status> now = now();
        String name = RouterJson.eventName(world.read(w -> router.server(w).map(server -> server.version).orElse("")));
        List<ObjectNode> events = new ArrayList<>();
        now.forEach((model, status) -> event(model, Optional.ofNullable(told.get(model)), status, name)
                .ifPresent(events::add));
        told.forEach((model, status) -> {
            if (!now.containsKey(model)) {
                events.add(shapes.event(model, status.value().equals("downloading") ? "download_failed" : "model_remove",
                        shapes.object()));
            }
        });
        told = new LinkedHashMap<>(now);
        int again = reloads();
        if (again != reloads) {
            reloads = again;
            events.add(shapes.event("*", "models_reload", shapes.object()));
        }
        return events;
    }

    private Optional<ObjectNode> event(String model, Optional<Status> before, Status now, String name) {
        if (before.filter(now::equals).isPresent()) {
            return Optional.empty();
        }
        if (now.value().equals("downloading")) {
            return Optional.of(shapes.event(model, "download_progress", now.progress().orElseThrow()));
        }
        if (before.filter(status -> status.value().equals("downloading")).isPresent()) {
            return Optional.of(shapes.event(model, "download_finished", shapes.object()));
        }
        if (before.isEmpty()) {
            return Optional.empty();
        }
        boolean begins = now.value().equals("loading") && !before.get().value().equals("loading");
        ObjectNode data = shapes.object().put("status", now.value());
        if (!begins) {
            now.progress().ifPresent(progress -> data.set("progress", progress));
        }
        if (now.value().equals("loaded")) {
            data.putObject("info");
        }
        if (now.value().equals("unloaded")) {
            data.put("exit_code", now.exit().orElse(0));
        }
        // The parent tells of the start by the documented name, the child of the rest (llama-server-sse-router.txt).
        return Optional.of(shapes.event(model, begins ? "model_status" : name, data));
    }
}
