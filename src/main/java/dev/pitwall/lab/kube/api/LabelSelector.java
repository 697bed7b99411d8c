package dev.pitwall.lab.kube.api;

import dev.pitwall.lab.kube.object.Requirement.Operator;
import dev.pitwall.lab.kube.object.Requirement;
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

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = requirements;
    }

    /** @throws ApiFailure 400 if it is not a selector */
    static LabelSelector parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        // A comma inside parentheses separates values, not requirements.
        for (String part : text.split(",(?![^(]*\\))")) {
            if (!part.isBlank()) {
                requirements.add(requirement(part.strip()));
            }
        }
        return new LabelSelector(List.copyOf(requirements));
    }

    private static Requirement requirement(String text) {
        Matcher equality = EQUALITY.matcher(text);
        if (equality.matches()) {
            return new Requirement(equality.group(1), equality.group(2).equals("!=") ? Operator.NotIn : Operator.In,
                    Set.of(equality.group(3)));
        }
        Matcher set = SET.matcher(text);
        if (set.matches()) {
            return new Requirement(set.group(1), set.group(2).equals("in") ? Operator.In : Operator.NotIn,
                    Set.copyOf(List.of(set.group(3).strip().split("\\s*,\\s*"))));
        }
        Matcher existence = EXISTENCE.matcher(text);
        if (existence.matches()) {
            return new Requirement(existence.group(2),
                    existence.group(1).isEmpty() ? Operator.Exists : Operator.DoesNotExist, Set.of());
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
