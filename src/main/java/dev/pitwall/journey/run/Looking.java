package dev.pitwall.journey.run;

import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.Survey;
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
import java.util.Set;
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

    /**
     * What a look came to.
     *
     * @param situation what it rests on
     */
    record Glance(CardPlan plan, Situation situation, Extent extent) {
    }

    /** Whether all of the plan was read just now, or only what some of its steps rest on. */
    enum Extent { WHOLE, PART }

    /**
     * Looks at the steps up to one, and reads nothing that only steps above it rest on.
     *
     * @param last id of that step
     */
    Glance look(Situation.Subject card, Choices choices, String last, Watcher watcher)
            throws TroubleException, InterruptedException {
        Systems seen = seen(watcher);
        Map<String, String> reasons = leftOut.of(card);
        List<Step> steps = ladder.upTo(last);
        Situation situation = reading(seen, surveys.read(seen, card, choices).leaving(reasons.keySet()), steps);
        CardPlan plan = consent.judged(plan(situation, reasons, steps, List.of()), situation, cluster(seen, situation));
        return told(new Glance(plan, situation, Extent.WHOLE), watcher);
    }

    /** Reads again what some steps of a plan rest on, and asks these. */
    Glance again(Glance before, Set<String> some, Watcher watcher) throws TroubleException, InterruptedException {
        Systems seen = seen(watcher);
        Situation known = before.situation();
        List<Step> steps = ladder.steps().stream().filter(s -> some.contains(s.id())).toList();
        Situation ground = steps.stream().anyMatch(s -> Survey.of(s.floor()).isEmpty())
                ? known.on(surveys.read(seen, known.card(), known.choices()).host()) : known;
        Set<Survey> old = steps.stream().flatMap(s -> s.needs(ground).stream()).collect(Collectors.toSet());
        Situation situation = reading(seen, ground.forgetting(old), steps);
        List<CardPlan.Planned> others = before.plan().steps().stream().filter(s -> !some.contains(s.id())).toList();
        List<Step> all = ladder.upTo(before.plan().steps().getLast().id());
        CardPlan plan = judged(plan(situation, leftOut.of(known.card()), all, others), some, situation, cluster(seen, situation));
        return told(new Glance(plan, situation, Extent.PART), watcher);
    }

    /** Only the steps that were asked: what was judged before is not asked for again. */
    private CardPlan judged(CardPlan plan, Set<String> some, Situation situation, Optional<Cluster> cluster)
            throws InterruptedException {
        CardPlan part = consent.judged(new CardPlan(plan.card(), plan.choices(), plan.at(),
                plan.steps().stream().filter(s -> some.contains(s.id())).toList()), situation, cluster);
        return new CardPlan(plan.card(), plan.choices(), plan.at(),
                plan.steps().stream().map(s -> part.step(s.id()).orElse(s)).toList());
    }

    /** What kept it from being read is in the survey already. */
    private static Optional<Cluster> cluster(Systems systems, Situation situation) throws InterruptedException {
        try {
            return situation.cluster().isEmpty() ? Optional.empty() : systems.cluster();
        } catch (TroubleException unusable) {
            return Optional.empty();
        }
    }

    private Systems seen(Watcher watcher) {
        return new WatchedSystems(systems, watcher, patience.clock());
    }

    private static Glance told(Glance glance, Watcher watcher) {
        watcher.looked(glance.plan());
        return glance;
    }

    /** Each step says what it needs as far as what was read tells, so this is asked until all of them are content. */
    private Situation reading(Systems seen, Situation begun, List<Step> steps) throws TroubleException, InterruptedException {
        Situation known = begun;
        while (true) {
            Situation now = known;
            Optional<Survey> open = steps.stream().flatMap(s -> s.needs(now).stream()).filter(what -> !now.knows(what)).sorted()
                    .findFirst();
            if (open.isEmpty()) {
                return known;
            }
            known = surveys.more(seen, known, open.get());
        }
    }

    /** @param others steps that are not asked, with what they said before */
    private CardPlan plan(Situation situation, Map<String, String> reasons, List<Step> steps, List<CardPlan.Planned> others) {
        OneAfterAnother order = new OneAfterAnother(situation);
        List<CardPlan.Planned> planned = new ArrayList<>();
        for (Step step : steps) {
            Answer answer = others.stream().filter(o -> o.id().equals(step.id())).findFirst().map(CardPlan.Planned::answer)
                    .orElseGet(() -> refusing(order.ask(step), situation.choices()));
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

    /** A look in a run: a connection that is lost is waited for. */
    Glance inRun(Act<Glance> look) throws TroubleException, InterruptedException {
        Instant end = patience.in(patience.reconnect());
        Patience.Looks looks = patience.looks();
        while (true) {
            try {
                return look.perform();
            } catch (TroubleException e) {
                if (!Lost.is(e.trouble()) || patience.past(end)) {
                    throw e;
                }
                looks.untilNext();
            }
        }
    }
}
