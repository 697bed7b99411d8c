package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.change.VmRemoval;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Destroys a VM that a run has made. One that runs is left alone, and so is any other that has its number now. */
final class VmRemovalMaking implements Making {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final VmRemoval change;
    private final Proxmox proxmox;
    private final String path;

    VmRemovalMaking(VmRemoval change, Proxmox proxmox) {
        this.change = change;
        this.proxmox = proxmox;
        this.path = "nodes/" + change.node() + "/qemu";
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        Optional<JsonNode> vm = proxmox.get(path).valueStream().filter(v -> v.path("vmid").asInt() == change.vmid())
                .findFirst();
        if (vm.isEmpty() || !proxmox.get(path + "/" + change.vmid() + "/config").path("smbios1").asText()
                .contains(change.uuid())) {
            return Standing.AFTER;
        }
        return vm.get().path("status").asText().equals("stopped") ? Standing.BEFORE
                : new Standing.Other("VM " + change.vmid() + " (" + change.name() + ") runs; shut it down first");
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        new Task(proxmox, "VM " + change.vmid() + " on " + change.node())
                .run(Call.of(Method.DELETE, path + "/" + change.vmid(), Map.of("purge", "1")), LIMIT);
        if (!(standing(mark) instanceof Standing.After)) {
            throw Refusal.failed("VM " + change.vmid() + " on " + change.node(), "it was destroyed, and is still there",
                    "Read its task's log in Proxmox.");
        }
        return "";
    }
}
