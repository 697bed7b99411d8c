package dev.pitwall.doctor;

import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Risk;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What is to be done against a finding.
 *
 * @param finding what it is against
 * @param means   what Pitwall can do
 * @param byHand  what a person does, in order: instead of the changes, or besides them where {@code means} says so
 */
public record Treatment(Finding finding, Means means, List<String> byHand) {

    /** Who does it, and how. */
    public sealed interface Means {
    }

    /**
     * A step of the wizard does it.
     *
     * @param plan the steps of the card up to that one
     * @param step its id
     */
    public record WizardStep(CardPlan plan, String step) implements Means {
    }

    /**
     * A cure of the Doctor's own does it.
     *
     * @param plan has one step, whose later answer tells whether the finding is gone
     * @param cure its name
     */
    public record OwnCure(CardPlan plan, String cure) implements Means {

        /** The id of the one step of such a plan. */
        public static final String STEP = "cure";
    }

    /** @param why Pitwall changes nothing itself, in one sentence */
    public record ByHand(String why) implements Means {
    }

    public Treatment {
        Objects.requireNonNull(finding);
        Objects.requireNonNull(means);
        byHand = List.copyOf(byHand);
    }

    /** What is shown before; empty where all is done by hand. */
    public Optional<CardPlan> plan() {
        return switch (means) {
            case WizardStep s -> Optional.of(s.plan());
            case OwnCure c -> Optional.of(c.plan());
            case ByHand h -> Optional.empty();
        };
    }

    /** The exact changes, in order; of steps that wait, what they foresee. */
    public List<Change> changes() {
        return plan().map(CardPlan::intended).orElse(List.of());
    }

    public Risk risk() {
        return Risk.worst(changes());
    }

    /** True if there is something that can be made now. */
    public boolean canBeMade() {
        return !changes().isEmpty();
    }
}
