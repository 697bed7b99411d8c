package dev.pitwall.doctor.sign;

import dev.pitwall.doctor.catalogue.SignRef;

import java.util.Map;
import java.util.Optional;

/**
 * One observation that means something to the catalogue.
 *
 * @param id     its name, which the rules use
 * @param about  what it is about
 * @param values what was read with it, for example {@code module=nouveau}
 * @param line   the line that shows it; empty for what follows from several, or from an absence
 */
public record Sign(String id, About about, Map<String, String> values, Optional<Cited> line) {

    public Sign {
        values = Map.copyOf(values);
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
