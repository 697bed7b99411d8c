package dev.pitwall.journey.operator;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.consent.TakeOver;
import java.util.Set;

/** Installs what makes cards schedulable, or takes what is there and changes in it only what must differ. */
final class OperatorStep implements Step {
    private final Settings settings;
    private final Sentences texts;
    private final ClusterGate gate;
    private final NodeChoices node;
    private final OperatorVersions versions = new OperatorVersions();

    OperatorStep(Settings settings, Sentences texts, NodeChoices node) {
        this.settings = settings;
        this.texts = texts;
        this.gate = new ClusterGate(settings, texts);
        this.node = node;
    }

    @Override
    public String id() {
        return "operator";
    }

    @Override
    public Floor floor() {
        return Floor.DISCOVERY;
    }

    @Override
    public Set<String> keys() {
        return Set.of(Stack.KEY, OperatorCharts.VERSION_KEY, "mig", TakeOver.KEY);
    }

    @Override
    public Answer look(Situation situation) {
        return gate.before(situation).orElseGet(() -> new StackLook(new CardCluster(node.settled(situation),
                situation.cluster().orElseThrow()), versions, settings, texts).answer());
    }
}
