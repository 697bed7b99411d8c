package dev.pitwall.doctor.catalogue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Names signs: {@code pod-waiting@device-plugin|gfd reason=CrashLoopBackOff}. Before the {@code @} the sign's id, then
 * the components it may be about (none: any), then values it must have; {@code a|b} means one of them.
 */
public record SignRef(String id, Set<String> components, Map<String, Set<String>> values) {

    public SignRef {
        components = Set.copyOf(components);
        values = Map.copyOf(values);
    }

    /** @throws IllegalArgumentException if it is not of the form above */
    public static SignRef of(String text) {
        List<String> words = List.of(text.strip().split("\\s+"));
        String[] head = words.getFirst().split("@", 2);
        Map<String, Set<String>> values = new LinkedHashMap<>();
        for (String word : words.subList(1, words.size())) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("\"" + word + "\" in \"" + text + "\" is not of the form key=value");
            }
            values.put(word.substring(0, equals), alternatives(word.substring(equals + 1)));
        }
        return new SignRef(head[0], head.length == 2 ? alternatives(head[1]) : Set.of(), values);
    }

    private static Set<String> alternatives(String text) {
        return Set.copyOf(Arrays.asList(text.split("\\|")));
    }
}
