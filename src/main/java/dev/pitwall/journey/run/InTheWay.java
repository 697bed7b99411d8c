package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;

import java.util.List;
import java.util.Optional;

/**
 * What a walk could not get past, as its first look shows it already: then it is refused before anything is written, and
 * no host is rebooted for a card that cannot arrive. What only waits is not in the way.
 */
final class InTheWay {
    private final Ladder ladder;

    InTheWay(Ladder ladder) {
        this.ladder = ladder;
    }

    /** @throws TroubleException naming the first step that is in the way, why, and how far it would go */
    void refuse(CardPlan plan, String last) throws TroubleException {
        List<Planned> way = Batch.throughTo(plan, last);
        Optional<Planned> first = way.stream().filter(this::stops).findFirst();
        if (first.isPresent()) {
            Planned step = first.get();
            throw Refusal.busy(step.text().title(), step.answer().state().wireName() + ": " + step.answer().why()
                    + unanswered(step).map(q -> " (" + q.key() + "=" + values(q) + ")").orElse(""),
                    "Nothing was changed. Clear that first" + way.stream().takeWhile(s -> s != step)
                            .filter(s -> s.answer().state() == Answer.State.READY).reduce((one, other) -> other)
                            .map(s -> ", or end before it: --step " + s.id()).orElse("") + ".");
        }
    }

    private boolean stops(Planned step) {
        return switch (step.answer().state()) {
            case BLOCKED -> true;
            case UNKNOWN -> !ladder.onlyChecks(step.id());
            case WAITING -> unanswered(step).isPresent();
            case DONE, READY, NOT_APPLICABLE, SKIPPED -> false;
        };
    }

    /** What a step waits for that only the person can tell. */
    private static Optional<Answer.Question> unanswered(Planned step) {
        return step.answer().state() == Answer.State.WAITING
                ? step.answer().questions().stream().filter(q -> q.chosen().isEmpty()).findFirst() : Optional.empty();
    }

    private static String values(Answer.Question question) {
        return String.join("|", question.options().stream().map(Answer.Option::value).toList());
    }
}
