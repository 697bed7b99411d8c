package dev.pitwall.doctor.live;

import dev.pitwall.card.Floor;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.Treatment.OwnCure;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.Survey;
import dev.pitwall.journey.Surveys;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.survey.HostSurvey;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * A cure as the one step of a run: what is read after its changes is what the Doctor reads, and the step is done when the
 * finding is gone. For one run.
 */
final class CureCourse implements Surveys, Step {
    private final Finding finding;
    private final Duration normal;
    private final Look look;
    private final Set<String> neverSeen;
    private final AtomicReference<Standing> standing = new AtomicReference<>(new Standing(true, "nobody has looked yet"));

    /** Looks at the whole site. */
    @FunctionalInterface
    interface Look {
        Diagnosis at(Systems systems) throws TroubleException, InterruptedException;
    }

    private record Standing(boolean there, String why) {
    }

    /**
     * @param normal    how long it may take after the changes until the finding is gone
     * @param neverSeen what could not be looked at when it was found
     */
    CureCourse(Finding finding, Duration normal, Set<String> neverSeen, Look look) {
        this.finding = finding;
        this.normal = normal;
        this.neverSeen = Set.copyOf(neverSeen);
        this.look = look;
    }

    /** What the card's host shows is in the look at the site. */
    @Override
    public Situation read(Systems systems, Situation.Subject card, Choices choices) {
        return new Situation(card, choices, HostSurvey.unread(card.host()), Optional.empty());
    }

    @Override
    public Situation more(Systems systems, Situation known, Survey what) throws TroubleException, InterruptedException {
        if (what == Survey.SITE) {
            standing.set(standing(look.at(systems)));
        }
        return known.reading(what);
    }

    /** What could be looked at when it was found, and cannot be now, may be what would show it. */
    private Standing standing(Diagnosis now) {
        List<String> lost = now.unseen().stream().filter(place -> !neverSeen.contains(place)).toList();
        return Stream.concat(now.findings().stream(), now.waiting().stream().map(Diagnosis.Waiting::finding))
                .filter(f -> f.trap().name().equals(finding.trap().name()) && meets(f)).findFirst()
                .map(f -> new Standing(true, "the Doctor still finds it: " + f.summary()))
                .orElseGet(() -> lost.isEmpty() ? new Standing(false, "the Doctor finds it no more")
                        : new Standing(true, "not everything can be looked at: " + lost.getFirst()));
    }

    private boolean meets(Finding other) {
        return finding.nodes().isEmpty() || other.nodes().isEmpty() || !Collections.disjoint(finding.nodes(), other.nodes());
    }

    @Override
    public String id() {
        return OwnCure.STEP;
    }

    @Override
    public Floor floor() {
        return finding.trap().floor().floor();
    }

    /** While it waits, just this is read again. */
    @Override
    public Set<Survey> needs(Situation known) {
        return Set.of(Survey.SITE);
    }

    @Override
    public Answer look(Situation situation) {
        Standing now = standing.get();
        return now.there() ? Answer.of(Answer.State.WAITING, now.why(), List.of()).coming(finding.trap().name(), normal)
                : Answer.of(Answer.State.DONE, now.why(), List.of());
    }
}
