package dev.pitwall.journey.change;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * Fields of a Talos node's machine configuration get other values, without a reboot. Both trees name the same fields and
 * no others, lists whole; {@code null} is a field that is not there. The rest of the configuration, which has the
 * cluster's secrets in it, is no part of the change.
 *
 * @param node    the node's name in the cluster
 * @param address as its endpoint knows it
 */
public record TalosConfigChange(String node, String address, JsonNode before, JsonNode after, String summary)
        implements Change {

    public TalosConfigChange {
        if (before.equals(after)) {
            throw new IllegalArgumentException("changes nothing: " + node);
        }
    }

    @Override
    public String system() {
        return node;
    }

    @Override
    public String target() {
        return "machine configuration of " + node;
    }

    @Override
    public Risk risk() {
        return Risk.NONE;
    }

    @Override
    public Optional<String> undo() {
        return Optional.of("puts back the fields that were there");
    }

    @Override
    public Optional<Duration> usual() {
        return Optional.empty();
    }

    /**
     * This change and a later one of the same node as one; the later one may name other fields.
     *
     * @return empty if the later one takes this one back
     */
    public Optional<TalosConfigChange> with(TalosConfigChange later) {
        JsonNode first = Tree.over(later.before(), before);
        JsonNode last = Tree.over(after, later.after());
        return first.equals(last) ? Optional.empty()
                : Optional.of(new TalosConfigChange(node, address, first, last, later.summary()));
    }

    /** The change that takes this one back. */
    public TalosConfigChange inverse() {
        return new TalosConfigChange(node, address, after, before, "as it was before");
    }
}
