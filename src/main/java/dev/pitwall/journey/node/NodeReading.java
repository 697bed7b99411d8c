package dev.pitwall.journey.node;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.survey.NodeSurvey;
import dev.pitwall.journey.survey.ShellNode;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.survey.UnreadNode;
import dev.pitwall.journey.survey.VmSurvey;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Tells what a step says of a node that is of another kind, or that nobody could look into. */
final class NodeReading {
    /** A guest answers on SSH some while after its agent does. */
    private static final Duration START = Duration.ofMinutes(5);

    private final Function<Situation, Optional<Answer>> talos;
    private final Sentences texts;

    /** @param talos what the step says of a node that runs Talos */
    NodeReading(Function<Situation, Optional<Answer>> talos, Sentences texts) {
        this.talos = talos;
        this.texts = texts;
    }

    Answer answer(Situation situation, Function<ShellNode, Answer> look) {
        Optional<NodeSurvey> node = situation.node();
        if (node.isEmpty()) {
            return talos.apply(situation).orElseGet(() -> unread(situation));
        }
        return switch (node.get()) {
            case ShellNode shell -> look.apply(shell);
            case TalosNode t -> talos.apply(situation)
                    .orElseGet(() -> Answer.of(State.UNKNOWN, texts.say("node.talos", t.name()), List.of()));
            case UnreadNode u -> u.trouble().kind().unreachable() ? unread(situation)
                    : Answer.of(State.UNKNOWN, u.name() + ": " + u.trouble().what(), List.of()).noting(u.trouble().next());
        };
    }

    private Answer unread(Situation situation) {
        if (situation.host().proxmox().isPresent() && situation.vm().isEmpty()) {
            return Answer.of(State.WAITING, texts.say("waits.vm"), List.of());
        }
        Optional<VmSurvey> vm = situation.vm();
        if (vm.isPresent() && !vm.get().running()) {
            return Answer.of(State.WAITING, texts.say("waits.guest", vm.get().vmid()), List.of());
        }
        boolean young = vm.isPresent() && vm.get().uptimeSeconds().orElse(Long.MAX_VALUE) < START.toSeconds();
        String name = vm.map(VmSurvey::name).orElse(situation.card().host());
        return young ? Answer.of(State.WAITING, texts.say("node.starting", name), List.of()).coming("node-starts", START)
                : Answer.of(State.UNKNOWN, texts.say("node.unread", name), List.of()).noting(texts.say("node.unread.way"));
    }
}
