package dev.pitwall.journey.run;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.CardPlan.Planned;
import dev.pitwall.journey.Journal.Intended;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.Targets;
import dev.pitwall.journey.change.VmPowerCycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Steps that are made together, after one look.
 *
 * @param changes in the order in which they are made; what several steps end in is there once, for the last of them
 */
record Batch(List<String> steps, List<Intended> changes) {

    Batch {
        steps = List.copyOf(steps);
        changes = List.copyOf(changes);
    }

    /**
     * The steps that may run now, up to the first that keeps those above from running. One that only checks does not:
     * while it waits for what is done here it can tell nothing.
     */
    static Batch upTo(CardPlan plan, String last, Ladder ladder) {
        List<Planned> chosen = new ArrayList<>();
        Targets targets = new Targets();
        for (Planned step : throughTo(plan, last)) {
            if (step.answer().state() == Answer.State.READY) {
                if (!targets.takes(step.answer().changes())) {
                    break;
                }
                step.answer().changes().forEach(targets::add);
                chosen.add(step);
            } else if (!passed(step) && !(step.answer().state() == Answer.State.WAITING
                    && ladder.onlyChecks(step.id()))) {
                break;
            }
        }
        return of(chosen);
    }

    /** Some steps of a plan. */
    static Batch of(List<Planned> steps) {
        List<Intended> all = steps.stream()
                .flatMap(s -> s.answer().changes().stream().map(c -> new Intended(s.id(), c))).toList();
        return new Batch(steps.stream().map(Planned::id).toList(), oneRestart(Targets.once(all, Intended::change)));
    }

    /** A VM that is power-cycled for one step and whose system is rebooted for a later one is power-cycled then, for both. */
    private static List<Intended> oneRestart(List<Intended> changes) {
        List<Intended> once = new ArrayList<>(changes);
        for (Intended reboot : changes) {
            Optional<Intended> cycle = changes.subList(0, changes.indexOf(reboot)).stream()
                    .filter(before -> Targets.doneByLater(reboot.change(), before.change())
                            && before.change() instanceof VmPowerCycle).findFirst();
            if (reboot.change() instanceof NodeReboot && cycle.isPresent()) {
                once.set(once.indexOf(reboot), cycle.get());
                once.remove(once.indexOf(cycle.get()));
            }
        }
        return once;
    }

    /** The steps of a plan up to one, and with it. */
    static List<Planned> throughTo(CardPlan plan, String last) {
        List<String> ids = plan.steps().stream().map(Planned::id).toList();
        return plan.steps().subList(0, ids.indexOf(last) + 1);
    }

    /** True for a step of which nothing is left to do. */
    static boolean passed(Planned step) {
        return switch (step.answer().state()) {
            case DONE, NOT_APPLICABLE, SKIPPED -> true;
            case READY, WAITING, BLOCKED, UNKNOWN -> false;
        };
    }

    boolean hasPower() {
        return changes.stream().anyMatch(c -> c.change().turn() == Change.Turn.POWER);
    }
}
