package dev.pitwall.lab.prometheus;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A set of labels, the metric's name among them as {@code __name__}. */
record Labels(Map<String, String> values) {
    static final String NAME = "__name__";
    static final Labels NONE = new Labels(Map.of());

    Labels {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** A label's value; empty text where it is missing, as PromQL sees it. */
    String get(String name) {
        return values.getOrDefault(name, "");
    }

    Labels with(String name, String value) {
        TreeMap<String, String> changed = new TreeMap<>(values);
        changed.put(name, value);
        return new Labels(changed);
    }

    Labels withoutName() {
        return without(Set.of(NAME));
    }

    Labels without(Set<String> names) {
        TreeMap<String, String> kept = new TreeMap<>(values);
        kept.keySet().removeAll(names);
        return new Labels(kept);
    }

    Labels only(Set<String> names) {
        TreeMap<String, String> kept = new TreeMap<>(values);
        kept.keySet().retainAll(names);
        return new Labels(kept);
    }
}
