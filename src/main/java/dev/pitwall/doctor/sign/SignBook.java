package dev.pitwall.doctor.sign;

import dev.pitwall.doctor.catalogue.SignRef;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * All signs of one diagnosis. Of signs that are alike only the first few are kept, so that a log of millions of lines
 * takes no more room than a short one; how many there were is counted.
 */
public final class SignBook {
    private static final int MOST_ALIKE = 6;
    private final Map<String, List<Sign>> byId = new LinkedHashMap<>();
    private final Map<Alike, Integer> seen = new HashMap<>();

    private record Alike(String id, Sign.About about, Map<String, String> values, String from) {
    }

    public void add(Sign sign) {
        Alike alike = new Alike(sign.id(), sign.about(), sign.values(), sign.line().map(Cited::from).orElse(""));
        if (seen.merge(alike, 1, Integer::sum) <= MOST_ALIKE) {
            byId.computeIfAbsent(sign.id(), id -> new ArrayList<>()).add(sign);
        }
    }

    /** The signs that a reference means. */
    public List<Sign> find(SignRef ref) {
        return byId.getOrDefault(ref.id(), List.of()).stream().filter(sign -> sign.fits(ref)).toList();
    }

    public boolean has(SignRef ref) {
        return !find(ref).isEmpty();
    }

    public Collection<Sign> all() {
        return byId.values().stream().flatMap(List::stream).toList();
    }

    /** Names of the nodes that signs are about. */
    public Set<String> nodes() {
        Set<String> nodes = new TreeSet<>();
        all().stream().map(sign -> sign.about().node()).filter(node -> !node.isEmpty()).forEach(nodes::add);
        return nodes;
    }

    /** The signs of one node and those that are about no node in particular. */
    public SignBook of(String node) {
        SignBook part = new SignBook();
        all().stream().filter(sign -> sign.about().node().isEmpty() || sign.about().node().equals(node))
                .forEach(part::add);
        return part;
    }
}
