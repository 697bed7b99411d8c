package dev.pitwall.journey.consent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.Sentences;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import dev.pitwall.site.Together;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Judges what steps would change in a cluster: a step whose changes the person may not make, or that would overwrite fields
 * which others keep, is blocked before anything is written, and says what to do. No step asks for either by itself.
 */
public final class ClusterConsent {
    private final Sentences texts = new Sentences("journey/consent");
    private final NeededRights rights = new NeededRights();
    private final Holds holds = new Holds(Keepers.load());
    private final HoldWords words = new HoldWords(texts);
    private final TakeOver takeOver = new TakeOver();

    /** What was asked of the cluster: the rights that are missing, and for whom. */
    private record Denied(Set<Right> rights, String user) {
    }

    /** A plan whose steps may all be made as the cluster is, or say why not. */
    public CardPlan judged(CardPlan plan, Situation situation, Optional<Cluster> cluster) throws InterruptedException {
        Denied denied = denied(plan.intended(), situation, cluster);
        List<Planned> steps = plan.steps().stream().map(step -> new Planned(step.id(), step.floor(), step.text(),
                judged(step.answer(), situation, denied))).toList();
        return new CardPlan(plan.card(), plan.choices(), plan.at(), steps);
    }

    /** One answer, judged in the same way. */
    public Answer judged(Answer answer, Situation situation, Optional<Cluster> cluster) throws InterruptedException {
        return judged(answer, situation, denied(answer.intended(), situation, cluster));
    }

    /** Each right is asked for once; a cluster that does not answer is asked no further, and will say no by itself. */
    private Denied denied(List<Change> changes, Situation situation, Optional<Cluster> cluster) throws InterruptedException {
        Set<Right> needed = new LinkedHashSet<>();
        changes.forEach(change -> {
            needed.addAll(rights.toMake(change));
            needed.addAll(rights.toTakeBack(change));
        });
        boolean askable = situation.cluster().filter(s -> s.silence().isEmpty()
                && s.kept().reach() == ClusterSurvey.Reach.PARTS).isPresent();
        if (needed.isEmpty() || !askable || cluster.isEmpty()) {
            return new Denied(Set.of(), "");
        }
        try {
            return asked(needed, cluster.get());
        } catch (TroubleException unanswered) {
            return new Denied(Set.of(), "");
        }
    }

    private static Denied asked(Set<Right> needed, Cluster cluster) throws TroubleException, InterruptedException {
        Set<Right> missing = ConcurrentHashMap.newKeySet();
        List<Callable<Boolean>> questions = new ArrayList<>();
        needed.forEach(right -> questions.add(() -> cluster.may(right.verb(), right.type(), right.namespace())
                || missing.add(right)));
        Together.all(questions);
        return new Denied(needed.stream().filter(missing::contains).collect(Collectors.toCollection(LinkedHashSet::new)),
                missing.isEmpty() ? "" : cluster.user());
    }

    private Answer judged(Answer answer, Situation situation, Denied denied) {
        if (answer.intended().isEmpty() || situation.cluster().isEmpty()) {
            return answer;
        }
        List<Right> missing = answer.intended().stream().flatMap(c -> rights.toMake(c).stream()).distinct()
                .filter(denied.rights()::contains).toList();
        if (!missing.isEmpty()) {
            return blocked(answer, texts.say("rights.missing", user(denied), said(missing)),
                    new RoleCommands(texts, denied.user()).giving(missing));
        }
        Answer owned = owned(answer, situation, situation.cluster().get());
        List<Right> later = answer.intended().stream().flatMap(c -> rights.toTakeBack(c).stream()).distinct()
                .filter(denied.rights()::contains).toList();
        return later.isEmpty() || owned.state() == State.BLOCKED ? owned
                : owned.noting(texts.say("rights.undo", user(denied), said(later)));
    }

    private String user(Denied denied) {
        return denied.user().isEmpty() ? texts.say("rights.you") : denied.user();
    }

    private static String said(List<Right> missing) {
        return missing.stream().map(Right::words).distinct().collect(Collectors.joining(", "));
    }

    private static Answer blocked(Answer answer, String why, String... next) {
        return new Answer(State.BLOCKED, why, answer.found(), List.of(), answer.notes(), answer.questions()).noting(next);
    }

    private Answer owned(Answer answer, Situation situation, ClusterSurvey survey) {
        List<Hold> held = answer.intended().stream().flatMap(change -> holds(change, survey).stream()).toList();
        Answer told = answer.noting(notes(answer.intended(), survey));
        if (held.isEmpty()) {
            return told;
        }
        String tools = held.stream().map(h -> h.keeper().tool()).distinct().collect(Collectors.joining(" and "));
        Answer judged = TakeOver.chosen(situation.choices()) ? takingOver(told).noting(texts.say("hold.taken", words.all(held), tools),
                texts.say("hold.undo", tools)) : blocked(answer, words.why(held), words.elsewhere(held),
                texts.say("hold.choice", tools));
        return takeOver.asked(judged, situation.choices());
    }

    private List<Hold> holds(Change change, ClusterSurvey survey) {
        return switch (change) {
            case ManifestChange c -> holds.of(c, survey.managers(c.object()));
            case HelmChange c -> holds.of(c, survey.all(ObjectType.CLUSTER_POLICY).stream().map(p ->
                    ObjectRef.of(ObjectType.CLUSTER_POLICY, p.at("/metadata/name").asText())).toList(), survey::managers);
            default -> List.of();
        };
    }

    private static Answer takingOver(Answer answer) {
        List<Change> changes = answer.intended().stream().<Change>map(change -> change instanceof ManifestChange c
                ? c.takingOver() : change).toList();
        boolean waits = answer.state() == State.WAITING;
        return new Answer(answer.state(), answer.why(), answer.found(), waits ? List.of() : changes,
                waits ? changes : List.of(), answer.notes(), answer.questions(), answer.coming());
    }

    /** Who has set a field that gets another value, and whose an object is that gets a field. */
    private List<String> notes(List<Change> changes, ClusterSurvey survey) {
        Set<String> notes = new LinkedHashSet<>();
        for (Change change : changes) {
            if (change instanceof ManifestChange c && c.before().isPresent()) {
                holds.setBefore(c, survey.managers(c.object())).forEach(set -> notes.add(texts.say("set", set.field(),
                        set.object(), set.manager(), set.since().map(t -> texts.say("hold.since", t)).orElse(""))));
                mark(c.object(), survey).ifPresent(mark -> notes.add(texts.say("marked", c.object(), mark.tool(), mark.source())));
            }
        }
        return List.copyOf(notes);
    }

    private static Optional<GitOpsMark> mark(ObjectRef object, ClusterSurvey survey) {
        Optional<JsonNode> there = survey.one(object.type(), object.namespace(), object.name());
        return there.flatMap(o -> GitOpsMark.of(o, survey.all(ObjectType.ARGO_APPLICATION).stream()
                .map(a -> a.at("/metadata/name").asText()).collect(Collectors.toSet())));
    }
}
