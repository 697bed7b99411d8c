package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Proxmox.Call;
import dev.pitwall.journey.Proxmox.Method;
import dev.pitwall.journey.change.MappingChange;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Makes, rewrites or removes a PCI mapping of the datacenter. */
final class MappingMaking implements Making {
    private static final String ALL = "cluster/mapping/pci";

    private final MappingChange change;
    private final Proxmox proxmox;
    private final String path;

    MappingMaking(MappingChange change, Proxmox proxmox) {
        this.change = change;
        this.proxmox = proxmox;
        this.path = ALL + "/" + change.id();
    }

    @Override
    public Standing standing(Optional<String> mark) throws TroubleException, InterruptedException {
        Optional<List<String>> now = proxmox.ifThere(path).map(MappingMaking::entries);
        if (same(now, change.after())) {
            return Standing.AFTER;
        }
        return same(now, change.before()) ? Standing.BEFORE
                : new Standing.Other("mapping " + change.id() + (now.isPresent() ? " has other entries" : " is gone"));
    }

    private static List<String> entries(JsonNode mapping) {
        return StreamSupport.stream(mapping.path("map").spliterator(), false).map(JsonNode::asText).toList();
    }

    /** Proxmox writes the properties of an entry in an order of its own. */
    private static boolean same(Optional<List<String>> one, Optional<List<String>> other) {
        return properties(one).equals(properties(other));
    }

    private static Optional<Set<Set<String>>> properties(Optional<List<String>> entries) {
        return entries.map(all -> all.stream().map(e -> Set.copyOf(List.of(e.split(",")))).collect(Collectors.toSet()));
    }

    @Override
    public String make(Optional<String> mark) throws TroubleException, InterruptedException {
        proxmox.send(call());
        if (!(standing(mark) instanceof Standing.After)) {
            throw Refusal.failed("mapping " + change.id(), "Proxmox took the change, and the mapping reads otherwise",
                    "Look at it under Datacenter, Resource Mappings.");
        }
        return "";
    }

    private Call call() {
        if (change.after().isEmpty()) {
            return new Call(Method.DELETE, path, Map.of());
        }
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        parameters.put("map", change.after().get());
        if (change.before().isPresent()) {
            return new Call(Method.PUT, path, parameters);
        }
        parameters.put("id", List.of(change.id()));
        return new Call(Method.POST, ALL, parameters);
    }
}
