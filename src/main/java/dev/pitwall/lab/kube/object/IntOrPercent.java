package dev.pitwall.lab.kube.object;

import com.fasterxml.jackson.databind.JsonNode;

/** A number of pods as strategies and disruption budgets give it: a count, or a percentage of all. */
public final class IntOrPercent {
    private IntOrPercent() {
    }

    /** Where a percentage that is no whole number of pods goes. */
    public enum Rounding { UP, DOWN }

    /**
     * @param value    a number or a text such as {@code 25%}; absent for the fallback
     * @param fallback what the API server would have filled in
     */
    public static int of(JsonNode value, String fallback, int all, Rounding rounding) {
        String text = value.isNull() || value.isMissingNode() ? fallback : value.asText();
        if (!text.endsWith("%")) {
            return Integer.parseInt(text);
        }
        long hundredths = Long.parseLong(text.substring(0, text.length() - 1)) * all;
        return (int) switch (rounding) {
            case UP -> Math.ceilDiv(hundredths, 100L);
            case DOWN -> Math.floorDiv(hundredths, 100L);
        };
    }
}
