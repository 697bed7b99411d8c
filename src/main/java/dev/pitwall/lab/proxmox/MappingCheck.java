package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.Wiring;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares a PCI mapping with the hardware of a node. The same texts stop a VM's start.
 * [facts: proxmox.md 1.10; pve-guest-common PVE/Mapping/PCI.pm]
 */
final class MappingCheck {
    private final World world;
    private final String id;
    private final List<String> entries;

    MappingCheck(World world, String id, List<String> entries) {
        this.world = world;
        this.id = id;
        this.entries = entries;
    }

    /** Messages with their severity; none means that the mapping fits. Call inside a world lock. */
    List<Map<String, String>> on(String node) {
        List<Map<String, String>> found = new ArrayList<>();
        List<String> here = entries.stream()
                .filter(entry -> Wiring.property(entry, "node").filter(node::equals).isPresent()).toList();
        if (here.isEmpty()) {
            found.add(message("warning", "No mapping for node " + node + "."));
        }
        here.forEach(entry -> problem(node, entry).ifPresent(text -> found.add(message("error", "Invalid configuration: " + text))));
        return found;
    }

    /** Why an entry does not fit the hardware. */
    Optional<String> problem(String node, String entry) {
        String path = Wiring.property(entry, "path").orElse("").split(";")[0];
        String first = path.contains(".") ? path : path + ".0";
        Optional<LabPci> function = Optional.ofNullable(world.hosts.get(node)).stream()
                .flatMap(host -> host.pci.stream()).filter(pci -> pci.address.equals(first)).findFirst();
        if (function.isEmpty()) {
            return Optional.of("pci device '" + first + "' not found");
        }
        return expected(function.get()).entrySet().stream().flatMap(property -> {
            Optional<String> stored = Wiring.property(entry, property.getKey());
            if (stored.isEmpty()) {
                return Optional.of("missing expected property '" + property.getKey() + "' for device '" + first + "'")
                        .stream();
            }
            return stored.get().equals(property.getValue()) ? Optional.<String>empty().stream()
                    : Optional.of("'" + property.getKey() + "' does not match for '" + id + "' ("
                    + property.getValue() + " != " + stored.get() + ")").stream();
        }).findFirst();
    }

    private static Map<String, String> expected(LabPci function) {
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("id", function.vendorId + ":" + function.deviceId);
        if (function.iommuGroup >= 0) {
            expected.put("iommugroup", String.valueOf(function.iommuGroup));
        }
        if (!function.subsystemVendor.isEmpty()) {
            expected.put("subsystem-id", function.subsystemVendor + ":" + function.subsystemDevice);
        }
        return expected;
    }

    private static Map<String, String> message(String severity, String text) {
        return Map.of("severity", severity, "message", text);
    }
}
