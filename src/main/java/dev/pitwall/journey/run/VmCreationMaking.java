package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmCreation.Blank;
import dev.pitwall.journey.change.VmCreation.Template;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes a VM. A copy gets a UUID of its own first and that of the change with its second call, so one that was cut
 * between the two is known by its name, and by its number having been free before.
 */
final class VmCreationMaking implements Making {
    /** Copying the disks of a big template over a slow storage takes long. */
    private static final Duration LIMIT = Duration.ofHours(2);
    private static final String FREE = "number was free";

    private final VmCreation change;
    private final Proxmox proxmox;
    private final String path;

    VmCreationMaking(VmCreation change, Proxmox proxmox) {
        this.change = change;
        this.proxmox = proxmox;
        this.path = "nodes/" + change.node() + "/qemu";
    }

    @Override
    public Optional<String> mark() {
        return Optional.of(FREE);
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        Optional<JsonNode> guest = guest();
        if (guest.isEmpty()) {
            return Standing.BEFORE;
        }
        Optional<JsonNode> config = guest.get().path("node").asText().equals(change.node()) ? config()
                : Optional.empty();
        if (config.filter(this::known).isPresent()) {
            return finished(config.get()) ? Standing.AFTER : Standing.BEFORE;
        }
        if (mark.isPresent() && config.filter(this::halfMade).isPresent()) {
            refuseWhileLocked(config.get());
            return Standing.BEFORE;
        }
        return new Standing.Other("number " + change.vmid() + " is taken by "
                + guest.get().path("name").asText("a guest"));
    }

    /** Of the whole cluster: numbers are given once in it. */
    private Optional<JsonNode> guest() throws TroubleException, InterruptedException {
        return proxmox.get("cluster/resources", Map.of("type", "vm")).valueStream()
                .filter(row -> row.path("vmid").asInt() == change.vmid()).findFirst();
    }

    private Optional<JsonNode> config() throws TroubleException, InterruptedException {
        return proxmox.ifThere(path + "/" + change.vmid() + "/config");
    }

    private boolean known(JsonNode config) {
        return config.path("smbios1").asText().contains(change.uuid());
    }

    private boolean halfMade(JsonNode config) {
        return change.origin() instanceof Template && config.path("name").asText().equals(change.name());
    }

    private void refuseWhileLocked(JsonNode config) throws TroubleException {
        if (config.hasNonNull("lock")) {
            throw Refusal.silent("VM " + change.vmid() + " on " + change.node(), "it is still being made",
                    "Go on with the run when its task has ended.");
        }
    }

    /** An empty VM is made by one call. Proxmox completes what it is given there, so its values are not compared. */
    private boolean finished(JsonNode config) {
        return change.origin() instanceof Blank || change.settings().entrySet().stream().allMatch(e -> ConfigValue.same(
                e.getKey(), Optional.of(e.getValue()), Optional.ofNullable(config.get(e.getKey()))
                        .map(JsonNode::asText)));
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        Task task = new Task(proxmox, "VM " + change.vmid() + " on " + change.node());
        boolean there = guest().isPresent();
        switch (change.origin()) {
            case Blank blank -> {
                Map<String, String> parameters = new TreeMap<>(change.settings());
                parameters.put("vmid", Integer.toString(change.vmid()));
                parameters.put("name", change.name());
                task.run(Call.of(Method.POST, path, parameters), LIMIT);
            }
            case Template template -> {
                if (!there) {
                    task.run(Call.of(Method.POST, path + "/" + template.vmid() + "/clone", copy(template)), LIMIT);
                }
                task.run(Call.of(Method.POST, path + "/" + change.vmid() + "/config", change.settings()), LIMIT);
            }
        }
        if (!(standing(mark) instanceof Standing.After)) {
            throw Refusal.failed("VM " + change.vmid() + " on " + change.node(), "it was made, and reads otherwise",
                    "See in its task log what else changes this VM.");
        }
        return "";
    }

    private Map<String, String> copy(Template template) {
        Map<String, String> parameters = new TreeMap<>();
        parameters.put("newid", Integer.toString(change.vmid()));
        parameters.put("name", change.name());
        parameters.put("full", "1");
        template.storage().ifPresent(storage -> parameters.put("storage", storage));
        return parameters;
    }
}
