package dev.pitwall.read;

import dev.pitwall.card.VmReport;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A VM's configuration.
 *
 * @param values      as it is now; in a {@code qm pending} text the values in force
 * @param pending     changes that wait for a full stop and start
 * @param passthrough the {@code hostpciN} entries among the values
 * @param slots       the cards in it: entries of one slot are one card
 */
public record VmConfig(Map<String, String> values, List<Pending> pending, List<VmReport.Passthrough> passthrough,
                       List<String> slots, List<String> notes) implements Understood {
    public VmConfig {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        pending = List.copyOf(pending);
        passthrough = List.copyOf(passthrough);
        slots = List.copyOf(slots);
        notes = List.copyOf(notes);
    }

    /** @param value the new value; empty text where the key will be deleted */
    public record Pending(String key, String value, Action action) {
    }

    public enum Action { SET, DELETE }

    @Override
    public Kind kind() {
        return Kind.QM_CONFIG;
    }
}
