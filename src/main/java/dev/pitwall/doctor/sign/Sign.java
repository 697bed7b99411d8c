package dev.pitwall.doctor.sign;

import dev.pitwall.doctor.catalogue.SignRef;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One observation that means something to the catalogue.
 *
 * @param id     its name, which the rules use
 * @param about  what it is about
 * @param values what was read with it, for example {@code module=nouveau}
 * @param line   the line that shows it; empty for what follows from several, or from an absence
 * @param sides  what each of the things shows that were compared; empty where nothing was compared
 */
public record Sign(String id, About about, Map<String, String> values, Optional<Cited> line, List<Excerpt> sides) {

    public Sign {
        values = Map.copyOf(values);
        sides = List.copyOf(sides);
    }

    /** What a single line shows, or nothing that can be shown. */
    public Sign(String id, About about, Map<String, String> values, Optional<Cited> line) {
        this(id, about, values, line, List.of());
    }

    /** The same, with what the compared things show. Of one that has nothing to show nothing is kept. */
    public Sign comparing(List<Excerpt> things) {
        return new Sign(id, about, values, line, things.stream().filter(thing -> !thing.empty()).distinct().toList());
    }

    /**
     * What a sign is about, as far as known.
     *
     * @param component of the stack, for example {@code device-plugin}; empty text for none
     * @param node      name in the cluster; empty text where unknown, which joins with every node
     * @param card      id; empty text where unknown
     * @param pod       {@code namespace/name}; empty text for none
     */
    public record About(String component, String node, String card, String pod) {
        public static final About NOTHING = new About("", "", "", "");

        public About of(String part) {
            return new About(part, node, card, pod);
        }
    }

    /** True if a reference means this sign. */
    public boolean fits(SignRef ref) {
        return id.equals(ref.id()) && (ref.components().isEmpty() || ref.components().contains(about.component()))
                && ref.values().entrySet().stream().allMatch(v -> v.getValue().contains(values.getOrDefault(v.getKey(), "")));
    }
}
