package dev.pitwall.read;

import dev.pitwall.card.PodReport;

import java.util.List;

/** Pods, from JSON or YAML. A pod in which the text stops is left out: its GPUs could not be counted. */
public record PodListing(List<Listed> pods, List<String> notes) implements Understood {
    /** Whether the object says what became of it. */
    public enum Status { GIVEN, NONE }

    /**
     * One pod of the text.
     *
     * @param status         a manifest that nobody has run yet has none: its phase, readiness and hold are not known
     * @param initContainers names in the spec of those the status does not know yet
     * @param containers     the same for the others
     */
    public record Listed(PodReport pod, Status status, List<String> initContainers, List<String> containers) {
        public Listed {
            initContainers = List.copyOf(initContainers);
            containers = List.copyOf(containers);
        }
    }

    public PodListing {
        pods = List.copyOf(pods);
        notes = List.copyOf(notes);
    }

    @Override
    public Kind kind() {
        return Kind.PODS;
    }
}
