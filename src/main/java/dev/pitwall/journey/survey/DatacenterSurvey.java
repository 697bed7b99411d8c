package dev.pitwall.journey.survey;

import dev.pitwall.journey.Proxmox.Caller;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the Proxmox API showed beyond one host and one VM: who asks, what they may do, and what the datacenter shares.
 *
 * @param grants   rights of the caller
 * @param nodes    names of the cluster's nodes; one for a host on its own
 * @param mappings the {@code map} entries of each PCI resource mapping as they are stored; empty where this Proxmox has
 *                 no mappings (before 8.0)
 * @param memory   of the host; empty where the caller may not see it
 * @param storages of the host that the caller may see
 * @param freeId   a vmid that nothing has
 * @param shown    what it rests on, by the names of {@link Showing}
 */
public record DatacenterSurvey(Caller caller, Grants grants, List<String> nodes,
                               Optional<SortedMap<String, List<String>>> mappings, Optional<Memory> memory,
                               List<Storage> storages, OptionalInt freeId, Map<String, Shown> shown) {

    public DatacenterSurvey {
        nodes = List.copyOf(nodes);
        mappings = mappings.map(TreeMap::new).map(Collections::unmodifiableSortedMap);
        storages = List.copyOf(storages);
        shown = Map.copyOf(shown);
    }

    /** The datacenter as it would be read with these mappings, and nothing else different. */
    public DatacenterSurvey mapping(SortedMap<String, List<String>> others) {
        return new DatacenterSurvey(caller, grants, nodes, Optional.of(others), memory, storages, freeId, shown);
    }

    /** @param availableMiB what a guest that starts now can get */
    public record Memory(long totalMiB, long availableMiB) {
    }

    /**
     * A storage that the host can use now.
     *
     * @param content what it may hold, for example {@code images} or {@code iso}
     * @param isos    volume ids of its ISO images, for example {@code local:iso/debian-13.iso}
     */
    public record Storage(String id, List<String> content, long availableBytes, List<String> isos) {
        public Storage {
            content = List.copyOf(content);
            isos = List.copyOf(isos);
        }

        public boolean holds(String what) {
            return content.contains(what);
        }
    }
}
