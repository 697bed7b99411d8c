package dev.pitwall.journey.host;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A word {@code name=item,item} of the kernel's command line.
 *
 * @param items at least one
 */
record KernelWord(String name, List<String> items) {
    KernelWord {
        items = List.copyOf(items);
    }

    static KernelWord of(String name, String value) {
        return new KernelWord(name, Arrays.asList(value.split(",")));
    }

    /** True if words of this name hold all its items, alone or among others. */
    boolean in(List<String> words) {
        return words.stream().filter(w -> w.startsWith(name + "="))
                .flatMap(w -> Arrays.stream(w.substring(name.length() + 1).split(",")))
                .collect(Collectors.toSet()).containsAll(items);
    }

    @Override
    public String toString() {
        return name + "=" + String.join(",", items);
    }
}
