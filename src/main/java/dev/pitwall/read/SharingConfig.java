package dev.pitwall.read;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A ConfigMap of the device plugin. */
public record SharingConfig(Optional<String> namespace, Optional<String> name, List<Section> sections,
                            List<String> notes) implements Understood {
    public SharingConfig {
        sections = List.copyOf(sections);
        notes = List.copyOf(notes);
    }

    /**
     * @param name                       key in the ConfigMap, which a node's label {@code nvidia.com/device-plugin.config}
     *                                   may choose
     * @param strategy                   {@code time-slicing}, {@code mps}, or empty where nothing is shared
     * @param renameByDefault            empty where it is not written, which means false
     * @param failRequestsGreaterThanOne empty where it is not written
     */
    public record Section(String name, Optional<String> strategy, Optional<Boolean> renameByDefault,
                          Optional<Boolean> failRequestsGreaterThanOne, Optional<String> migStrategy,
                          List<Resource> resources, List<String> problems) {
        public Section {
            resources = List.copyOf(resources);
            problems = List.copyOf(problems);
        }
    }

    public record Resource(String name, OptionalInt replicas) {
    }

    @Override
    public Kind kind() {
        return Kind.SHARING_CONFIG;
    }
}
