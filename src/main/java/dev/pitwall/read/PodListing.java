package dev.pitwall.read;

import dev.pitwall.card.PodReport;

import java.util.List;

/** Pods, from JSON or YAML. A pod in which the text stops is left out: its GPUs could not be counted. */
public record PodListing(List<PodReport> pods, List<String> notes) implements Understood {
    public PodListing {
        pods = List.copyOf(pods);
        notes = List.copyOf(notes);
    }

    @Override
    public Kind kind() {
        return Kind.PODS;
    }
}
