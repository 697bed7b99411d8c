package dev.pitwall.lab.prometheus;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** One condition of a selector, for example {@code Hostname=~"a|b"}. Expressions are anchored at both ends. */
record LabelMatcher(String label, Kind kind, String value, Pattern pattern) {
    enum Kind { EQUAL, NOT_EQUAL, MATCHES, MATCHES_NOT }

    /** @throws PromQlException if an expression is not valid */
    static LabelMatcher of(String label, Kind kind, String value) throws PromQlException {
        boolean expression = kind == Kind.MATCHES || kind == Kind.MATCHES_NOT;
        try {
            return new LabelMatcher(label, kind, value, Pattern.compile(expression ? value : ""));
        } catch (PatternSyntaxException e) {
            throw new PromQlException("error parsing regexp: " + e.getDescription() + ": `" + value + "`");
        }
    }

    boolean test(Labels labels) {
        String own = labels.get(label);
        return switch (kind) {
            case EQUAL -> own.equals(value);
            case NOT_EQUAL -> !own.equals(value);
            case MATCHES -> pattern.matcher(own).matches();
            case MATCHES_NOT -> !pattern.matcher(own).matches();
        };
    }

    static boolean all(List<LabelMatcher> matchers, Labels labels) {
        return matchers.stream().allMatch(m -> m.test(labels));
    }
}
