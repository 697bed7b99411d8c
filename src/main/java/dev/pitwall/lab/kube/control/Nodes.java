package dev.pitwall.lab.kube.control;

import dev.pitwall.lab.kube.store.Change;
import dev.pitwall.lab.kube.store.Resource;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** All nodes as the control plane knows them, by name. Stands with {@link Pods} before all others in the loop. */
public final class Nodes implements Controller {
    private final TreeMap<String, NodeFacts> byName = new TreeMap<>();
    private News news = new News(Optional.empty(), Optional.empty());

    /** A node before and after a change; empty where it is not there. */
    public record News(Optional<NodeFacts> before, Optional<NodeFacts> now) {
        /** True unless only something has changed that no placement of a pod depends on, such as a heartbeat. */
        public boolean matters() {
            return before.isEmpty() || now.isEmpty() || !before.get().placesLike(now.get());
        }
    }

    @Override
    public Set<Resource> watches() {
        return Set.of(Resource.NODES);
    }

    @Override
    public void observe(Change change) {
        switch (change) {
            case Change.Added added -> put(NodeFacts.of(added.now()));
            case Change.Modified modified -> put(NodeFacts.of(modified.now()));
            case Change.Deleted deleted -> news = new News(
                    Optional.ofNullable(byName.remove(deleted.before().key().name())), Optional.empty());
        }
    }

    @Override
    public Instant act(Instant now) {
        return Instant.MAX;
    }

    /** What the change that is being told has done; for {@link Controller#observe} of those that come after. */
    public News news() {
        return news;
    }

    public Collection<NodeFacts> all() {
        return List.copyOf(byName.values());
    }

    public Optional<NodeFacts> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    private void put(NodeFacts node) {
        news = new News(Optional.ofNullable(byName.put(node.name(), node)), Optional.of(node));
    }
}
