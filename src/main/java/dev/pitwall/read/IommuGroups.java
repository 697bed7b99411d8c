package dev.pitwall.read;

import dev.pitwall.card.PciFunction;

import java.util.List;

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

    @Override
    public Kind kind() {
        return Kind.IOMMU_GROUPS;
    }
}
