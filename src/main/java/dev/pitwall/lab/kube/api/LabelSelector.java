package dev.pitwall.lab.kube.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A label selector: {@code a=b,c!=d,e in (x,y),f notin (z),g,!h}. */
final class LabelSelector implements Predicate<Map<String, String>> {
    private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_./]*)";
    private static final String VALUE = "([-A-Za-z0-9_.]*)";
    private static final Pattern EQUALITY = Pattern.compile(KEY + "\\s*(==|=|!=)\\s*" + VALUE);
    private static final Pattern SET = Pattern.compile(KEY + "\\s+(in|notin)\\s*\\(([^()]*)\\)");
    private static final Pattern EXISTENCE = Pattern.compile("(!?)\\s*" + KEY);

    private final List<Predicate<Map<String, String>>> requirements;

    private LabelSelector(List<Predicate<Map<String, String>>> requirements) {
        this.requirements = requirements;
    }

    /** @throws ApiFailure 400 if it is not a selector */
    static LabelSelector parse(String text) {
        List<Predicate<Map<String, String>>> requirements = new ArrayList<>();
        // A comma inside parentheses separates values, not requirements.
        for (String part : text.split(",(?![^(]*\\))")) {
            if (!part.isBlank()) {
                requirements.add(requirement(part.strip()));
            }
        }
        return new LabelSelector(requirements);
    }

    private static Predicate<Map<String, String>> requirement(String text) {
        Matcher equality = EQUALITY.matcher(text);
        if (equality.matches()) {
            String key = equality.group(1);
            String value = equality.group(3);
            return equality.group(2).equals("!=")
                    ? labels -> !value.equals(labels.get(key)) : labels -> value.equals(labels.get(key));
        }
        Matcher set = SET.matcher(text);
        if (set.matches()) {
            String key = set.group(1);
            Set<String> values = Set.of(set.group(3).strip().split("\\s*,\\s*"));
            return set.group(2).equals("in")
                    ? labels -> labels.containsKey(key) && values.contains(labels.get(key))
                    : labels -> !labels.containsKey(key) || !values.contains(labels.get(key));
        }
        Matcher existence = EXISTENCE.matcher(text);
        if (existence.matches()) {
            String key = existence.group(2);
            return existence.group(1).isEmpty() ? labels -> labels.containsKey(key) : labels -> !labels.containsKey(key);
        }
        throw ApiFailure.badRequest("unable to parse requirement: found '" + text + "', expected: a label requirement");
    }

    boolean isEmpty() {
        return requirements.isEmpty();
    }

    @Override
    public boolean test(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.test(labels));
    }
}
