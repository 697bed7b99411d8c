package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.Surveys;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.WatchedSystems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.consent.ClusterConsent;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the systems of a card and asks every step. */
final class Looking {
    private final Systems systems;
    private final Surveys surveys;
    private final Ladder ladder;
    private final LeftOut leftOut;
    private final Patience patience;
    private final ClusterConsent consent = new ClusterConsent();

    Looking(Systems systems, Surveys surveys, Ladder ladder, LeftOut leftOut, Patience patience) {
        this.systems = systems;
        this.surveys = surveys;
        this.ladder = ladder;
        this.leftOut = leftOut;
        this.patience = patience;
    }

    CardPlan look(Situation.Subject card, Choices choices, Watcher watcher)
            throws TroubleException, InterruptedException {
        Systems seen = new WatchedSystems(systems, watcher, patience.clock());
        Situation situation = surveys.read(seen, card, choices);
        Map<String, String> reasons = leftOut.of(card);
        CardPlan plan = consent.judged(plan(situation.leaving(reasons.keySet()), reasons), situation, cluster(seen, situation));
        watcher.looked(plan);
        return plan;
    }

    /** What kept it from being read is in the survey already. */
    private static Optional<Cluster> cluster(Systems systems, Situation situation) throws InterruptedException {
        try {
            return situation.cluster().isEmpty() ? Optional.empty() : systems.cluster();
        } catch (TroubleException unusable) {
            return Optional.empty();
        }
    }

    private CardPlan plan(Situation situation, Map<String, String> reasons) {
        OneAfterAnother order = new OneAfterAnother(situation);
        List<CardPlan.Planned> planned = new ArrayList<>();
        for (Step step : ladder.steps()) {
            Answer answer = refusing(order.ask(step), situation.choices());
            if (reasons.containsKey(step.id()) && !settled(answer)) {
                answer = Answer.of(Answer.State.SKIPPED, reasons.get(step.id()), answer.found());
            }
            order.made(answer);
            planned.add(new CardPlan.Planned(step.id(), step.floor(), ladder.text(step.id()), answer));
        }
        return new CardPlan(situation.card(), situation.choices(), patience.now(), planned);
    }

    /** A choice that none of the step's options is must not be passed over: the person meant something by it. */
    private static Answer refusing(Answer answer, Choices choices) {
        return answer.state() == Answer.State.BLOCKED ? answer : answer.questions().stream()
                .filter(q -> choices.get(q.key()).filter(v -> !v.equals(q.chosen())
                        && q.options().stream().noneMatch(o -> o.value().equals(v))).isPresent())
                .findFirst().map(q -> refusal(answer, q, choices.get(q.key()).orElse(""))).orElse(answer);
    }

    private static Answer refusal(Answer answer, Answer.Question question, String value) {
        return new Answer(Answer.State.BLOCKED, question.key() + "=" + value + " is no choice: it is one of "
                + question.options().stream().map(Answer.Option::value).collect(Collectors.joining(", ")),
                answer.found(), List.of(), answer.notes(), answer.questions());
    }

    private static boolean settled(Answer answer) {
        return answer.state() == Answer.State.DONE || answer.state() == Answer.State.NOT_APPLICABLE;
    }

    /** As {@link #look}, in a run: a connection that is lost is waited for. */
    CardPlan lookInRun(Situation.Subject card, Choices choices, Watcher watcher)
            throws TroubleException, InterruptedException {
        Instant end = patience.in(patience.reconnect());
        Patience.Looks looks = patience.looks();
        while (true) {
            try {
                return look(card, choices, watcher);
            } catch (TroubleException e) {
                if (!Lost.is(e.trouble()) || patience.past(end)) {
                    throw e;
                }
                looks.untilNext();
            }
        }
    }
}
