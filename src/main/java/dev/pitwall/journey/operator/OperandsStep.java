package dev.pitwall.journey.operator;

import dev.pitwall.card.Floor;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.guest.CardInVm;
import java.util.List;
import java.util.Optional;

/** Whether the operands on the card's node have come up, and the node advertises the card. */
final class OperandsStep implements Step {
    private final Settings settings;
    private final Sentences texts;
    private final ClusterGate gate;

    OperandsStep(Settings settings, Sentences texts) {
        this.settings = settings;
        this.texts = texts;
        this.gate = new ClusterGate(settings, texts);
    }

    @Override
    public String id() {
        return "operands";
    }

    @Override
    public Floor floor() {
        return Floor.PLUGIN;
    }

    @Override
    public Nature nature() {
        return Nature.CHECKS;
    }

    @Override
    public Answer look(Situation situation) {
        return gate.before(situation).or(() -> withoutNode(situation)).or(() -> withoutCard(situation)).orElseGet(() ->
                new TowerLook(new CardCluster(situation, situation.cluster().orElseThrow()), settings, texts).answer());
    }

    /** Before the VM has the card nothing in it can see one, which is no fault of the operands. */
    private Optional<Answer> withoutCard(Situation situation) {
        return situation.vm().filter(vm -> CardInVm.isLacking(situation))
                .map(vm -> Answer.of(State.WAITING, texts.say("waits.card", vm.vmid()), List.of()));
    }

    /** A VM that has just started takes a while to come back as a node. */
    private Optional<Answer> withoutNode(Situation situation) {
        CardCluster cluster = new CardCluster(situation, situation.cluster().orElseThrow());
        if (cluster.node().isPresent()) {
            return Optional.empty();
        }
        Answer answer = Answer.of(State.WAITING, situation.vm().map(vm -> texts.say("node.none.vm", vm.vmid()))
                .orElse(texts.say("node.none")), List.of());
        boolean known = situation.nodeName().isPresent();
        return Optional.of(known ? answer.coming("node-joins", settings.coming("node")) : answer);
    }
}
