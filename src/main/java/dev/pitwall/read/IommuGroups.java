package dev.pitwall.read;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** IOMMU groups in the order they were listed. */
public record IommuGroups(List<Group> groups, List<String> notes) implements Understood {
    public IommuGroups {
        groups = List.copyOf(groups);
        notes = List.copyOf(notes);
    }

    /** @param devices may be empty where the text is cut after the group's head */
    public record Group(int group, List<PciFunction> devices) {
        public Group {
            devices = List.copyOf(devices);
        }
    }

    /** The group of every function. */
    public Map<PciAddress, Integer> byAddress() {
        Map<PciAddress, Integer> byAddress = new HashMap<>();
        groups.forEach(g -> g.devices().forEach(device -> byAddress.put(device.address(), g.group())));
        return byAddress;
    }

    @Override
    public Kind kind() {
        return Kind.IOMMU_GROUPS;
    }
}
