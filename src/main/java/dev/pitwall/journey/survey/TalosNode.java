package dev.pitwall.journey.survey;

import java.util.Map;

/**
 * A node that runs Talos.
 *
 * @param version for example {@code v1.13.2}
 */
public record TalosNode(String name, String version, Map<String, Shown> shown) implements NodeSurvey {

    public TalosNode {
        shown = Map.copyOf(shown);
    }
}
