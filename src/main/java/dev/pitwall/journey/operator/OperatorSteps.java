package dev.pitwall.journey.operator;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Step;
import java.util.List;

/** The steps that make a card of a node schedulable. */
public final class OperatorSteps {
    private OperatorSteps() {
    }

    /** In the order in which they are walked: {@code operator}, {@code taint}, {@code operands}, {@code sharing}, {@code telemetry}. */
    public static List<Step> all() {
        Sentences texts = new Sentences("journey/operator");
        Settings settings = Settings.load();
        return List.of(new OperatorStep(settings, texts));
    }
}
