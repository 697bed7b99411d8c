package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** An API whose every call is told: writes by the names of their parameters. */
final class WatchedProxmox implements Proxmox {
    private final Proxmox proxmox;
    private final Told told;

    WatchedProxmox(Proxmox proxmox, Told told) {
        this.proxmox = proxmox;
        this.told = told;
    }

    @Override
    public JsonNode get(String path, Map<String, String> query) throws TroubleException, InterruptedException {
        return told.tell("GET /" + path, () -> proxmox.get(path, query), answer -> "200");
    }

    @Override
    public Optional<JsonNode> ifThere(String path) throws TroubleException, InterruptedException {
        return told.tell("GET /" + path, () -> proxmox.ifThere(path), a -> a.isPresent() ? "200" : "not there");
    }

    @Override
    public Optional<String> send(Call call) throws TroubleException, InterruptedException {
        String names = String.join(" ", new TreeSet<>(call.parameters().keySet()));
        return told.tell((call.method() + " /" + call.path() + " " + names).strip(), () -> proxmox.send(call),
                task -> task.isPresent() ? "200, a task" : "200");
    }

    @Override
    public TaskEnd await(String upid, Duration limit, Consumer<String> lines)
            throws TroubleException, InterruptedException {
        return told.tell("task " + upid, () -> proxmox.await(upid, limit, lines), TaskEnd::text);
    }

    @Override
    public Caller caller() throws TroubleException, InterruptedException {
        return proxmox.caller();
    }

    /** The API belongs to whoever opened it. */
    @Override
    public void close() {
    }
}
