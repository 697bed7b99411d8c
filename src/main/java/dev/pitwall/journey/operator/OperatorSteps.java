package dev.pitwall.journey.operator;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Step;
import java.util.List;

/** The steps that make a card of a node schedulable. */
public final class OperatorSteps {
    private OperatorSteps() {
    }

    /**
     * In the order in which they are walked: {@code operator}, {@code taint}, {@code operands}, {@code sharing},
     * {@code telemetry}.
     *
     * @param node what the steps of the node settle
     */
    public static List<Step> all(NodeChoices node) {
        Sentences texts = new Sentences("journey/operator");
        Settings settings = Settings.load();
        return List.of(new OperatorStep(settings, texts, node), new TaintStep(settings, texts),
                new OperandsStep(settings, texts), new SharingStep(settings, texts), new TelemetryStep(settings, texts));
    }
}
