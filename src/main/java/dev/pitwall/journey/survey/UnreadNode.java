package dev.pitwall.journey.survey;

import dev.pitwall.card.Trouble;
import java.util.Map;

/**
 * A node of which one knows how it would be asked, and that cannot be asked.
 *
 * @param trouble why
 */
public record UnreadNode(String name, Trouble trouble) implements NodeSurvey {

    @Override
    public Map<String, Shown> shown() {
        return Map.of();
    }
}
