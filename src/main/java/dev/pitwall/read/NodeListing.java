package dev.pitwall.read;

import java.util.List;

/** Nodes, from {@code kubectl describe node} or as objects. */
public record NodeListing(Kind kind, List<NodeFacts> nodes, List<String> notes) implements Understood {
    public NodeListing {
        nodes = List.copyOf(nodes);
        notes = List.copyOf(notes);
    }
}
