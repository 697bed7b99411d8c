package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.World;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * PCI resource mappings. What a start needs beyond the schema, the group and the subsystem, is not asked for here, as
 * Proxmox does not. [facts: proxmox.md 1.10; pve-manager Cluster/Mapping/PCI.pm]
 */
public final class Mappings {
    private final World world;
    private final Changes changes;

    Mappings(World world) {
        this.world = world;
        this.changes = new Changes(world);
    }

    /**
     * Stores a new mapping.
     *
     * @param options {@code description}, {@code mdev}, {@code live-migration-capable}
     */
    public void create(String id, List<String> entries, Map<String, String> options) throws PveError {
        changes.make(w -> {
            if (w.pciMappings.containsKey(id)) {
                throw PveError.died("create hardware mapping failed: pci ID '" + id + "' already defined");
            }
            w.pciMappings.put(id, List.copyOf(entries));
            w.pciMappingOptions.put(id, new TreeMap<>(options));
            return id;
        });
    }

    /** @param entries empty to leave them as they are */
    public void update(String id, Optional<List<String>> entries, Map<String, String> options, List<String> delete,
                       Optional<String> digest) throws PveError {
        changes.make(w -> {
            if (digest.filter(given -> !given.equals(digest(w))).isPresent()) {
                throw PveError.died("update hardware mapping failed: detected modified configuration - file changed by other"
                        + " user? Try again.");
            }
            if (!w.pciMappings.containsKey(id)) {
                throw PveError.died("update hardware mapping failed: pci ID '" + id + "' does not exist");
            }
            entries.ifPresent(list -> w.pciMappings.put(id, List.copyOf(list)));
            Map<String, String> stored = w.pciMappingOptions.computeIfAbsent(id, key -> new TreeMap<>());
            stored.putAll(options);
            delete.forEach(stored::remove);
            return id;
        });
    }

    /** Also while a VM names it: that one then fails to start. */
    public void delete(String id) {
        world.change(w -> {
            w.pciMappings.remove(id);
            w.pciMappingOptions.remove(id);
        });
    }

    /** Of the file that holds all mappings. Call inside a world lock. */
    static String digest(World world) {
        return Vms.sha1(world.pciMappings + " " + world.pciMappingOptions);
    }
}
