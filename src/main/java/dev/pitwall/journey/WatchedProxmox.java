package dev.pitwall.journey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A Proxmox API whose calls are told to a watcher, as {@code pve2 api}; of a write only its path. */
final class WatchedProxmox implements Proxmox {
    private final Proxmox proxmox;
    private final String system;
    private final Watching watching;

    WatchedProxmox(Proxmox proxmox, String system, Watching watching) {
        this.proxmox = proxmox;
        this.system = system;
        this.watching = watching;
    }

    @Override
    public JsonNode get(String path, Map<String, String> query) throws TroubleException, InterruptedException {
        return watching.call(system, "GET /" + path, () -> proxmox.get(path, query), data -> "200");
    }

    @Override
    public Optional<JsonNode> ifThere(String path) throws TroubleException, InterruptedException {
        return watching.call(system, "GET /" + path, () -> proxmox.ifThere(path),
                data -> data.isPresent() ? "200" : "not there, or not allowed");
    }

    @Override
    public Optional<String> send(Call call) throws TroubleException, InterruptedException {
        return watching.call(system, text(call), () -> proxmox.send(call), task -> "200");
    }

    @Override
    public JsonNode answer(Call call) throws TroubleException, InterruptedException {
        return watching.call(system, text(call), () -> proxmox.answer(call), data -> "200");
    }

    private static String text(Call call) {
        return call.method() + " /" + call.path();
    }

    @Override
    public TaskEnd await(String upid, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        return watching.call(system, "task " + upid, () -> proxmox.await(upid, limit, line -> {
            watching.printed(system, line);
            lines.accept(line);
        }), TaskEnd::text);
    }

    @Override
    public Caller caller() throws TroubleException, InterruptedException {
        return proxmox.caller();
    }

    @Override
    public void close() {
        // Its systems close it.
    }
}
