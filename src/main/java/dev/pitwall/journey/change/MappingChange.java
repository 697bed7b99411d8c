package dev.pitwall.journey.change;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A PCI resource mapping of the datacenter is made, gets other entries, or goes (Proxmox 8 and later).
 *
 * @param node   the Proxmox node whose API is asked
 * @param id     the mapping's name
 * @param before its {@code map} entries as they are; empty where there is no such mapping
 * @param after  empty where it goes; a value that can only be read later is {@link #LATER}, as long as the change is
 *               foreseen and not yet made
 */
public record MappingChange(String node, String id, Optional<List<String>> before, Optional<List<String>> after,
                            String summary) implements Change {
    /** Stands for a value that the host does not show yet, for example of {@code iommugroup}. */
    public static final String LATER = "?";

    public MappingChange {
        before = before.map(List::copyOf);
        after = after.map(List::copyOf);
    }

    @Override
    public String system() {
        return node;
    }

    @Override
    public String target() {
        return "/cluster/mapping/pci/" + id;
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of(before.isEmpty() ? "removes the mapping" : "puts back the entries that were there");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.empty();
    }

    /** The change that takes this one back. */
    public MappingChange inverse() {
        return new MappingChange(node, id, after, before, before.isEmpty() ? "removed" : "as it was before");
    }
}
