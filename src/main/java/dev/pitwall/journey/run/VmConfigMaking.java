package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.change.VmConfigChange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sets and removes keys of a VM's configuration in one call, held to the digest that was read just before. A call whose
 * answer was lost is judged by what the configuration has then.
 */
final class VmConfigMaking implements Making {
    private static final Duration DISK = Duration.ofMinutes(5);

    private final VmConfigChange change;
    private final Proxmox proxmox;
    private final String path;

    VmConfigMaking(VmConfigChange change, Proxmox proxmox) {
        this.change = change;
        this.proxmox = proxmox;
        this.path = "nodes/" + change.node() + "/qemu/" + change.vmid() + "/config";
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        return standing(proxmox.get(path));
    }

    /** Without {@code current}, the call shows values with pending changes applied (facts 1.7). */
    private Standing standing(JsonNode config) {
        if (differing(config, change.after()).isEmpty()) {
            return Standing.AFTER;
        }
        List<String> differing = differing(config, change.before());
        return differing.isEmpty() ? Standing.BEFORE : new Standing.Other(other(config, differing.getFirst()));
    }

    private static List<String> differing(JsonNode config, SortedMap<String, Optional<String>> values) {
        return values.entrySet().stream().filter(e -> !ConfigValue.same(e.getKey(), e.getValue(),
                value(config, e.getKey()))).map(Map.Entry::getKey).toList();
    }

    private static Optional<String> value(JsonNode config, String key) {
        return Optional.ofNullable(config.get(key)).filter(v -> !v.isNull()).map(JsonNode::asText);
    }

    private String other(JsonNode config, String key) {
        String vm = key + " of VM " + change.vmid();
        return value(config, key).map(v -> vm + " is now " + v).orElse(vm + " is not set any more");
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        JsonNode config = proxmox.get(path);
        send(config.path("digest").asText());
        if (!(standing(proxmox.get(path)) instanceof Standing.After)) {
            throw Refusal.failed("VM " + change.vmid() + " on " + change.node(),
                    "Proxmox took the change, and its configuration reads otherwise",
                    "See in its task log what else changes this VM.");
        }
        return "";
    }

    /** A disk is made by POST, which runs as a task; PUT would run into the 30 s that a call may take (facts 1.1). */
    private void send(String digest) throws TroubleException, InterruptedException {
        boolean disk = change.after().entrySet().stream()
                .anyMatch(e -> e.getValue().isPresent() && ConfigValue.makesDisk(e.getKey(), e.getValue().get()));
        Proxmox.Method method = disk ? Proxmox.Method.POST : Proxmox.Method.PUT;
        new Task(proxmox, "VM " + change.vmid() + " on " + change.node())
                .run(Proxmox.Call.of(method, path, parameters(digest)), DISK);
    }

    /** True if a disk goes that was made by the change which this one takes back. */
    private boolean takesBackDisk() {
        return change.after().entrySet().stream().anyMatch(e -> e.getValue().isEmpty()
                && change.before().get(e.getKey()).filter(was -> ConfigValue.makesDisk(e.getKey(), was)).isPresent());
    }

    private Map<String, String> parameters(String digest) {
        Map<String, String> parameters = new LinkedHashMap<>();
        List<String> gone = new ArrayList<>();
        new TreeMap<>(change.after()).forEach((key, value) ->
                value.ifPresentOrElse(v -> parameters.put(key, v), () -> gone.add(key)));
        if (!gone.isEmpty()) {
            parameters.put("delete", String.join(",", gone));
        }
        if (takesBackDisk()) {
            // Else it would stay, as an unused one, and the configuration would not be as it was.
            parameters.put("force", "1");
        }
        if (!digest.isEmpty()) {
            parameters.put("digest", digest);
        }
        return parameters;
    }
}
