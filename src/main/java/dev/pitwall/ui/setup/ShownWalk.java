package dev.pitwall.ui.setup;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.ui.run.SiteWork;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A walk that ends before its first change if what it finds at its start is not what the person has seen. */
record ShownWalk(Ascent ascent) implements SiteWork.Making<Sequence.Made> {

    @Override
    public Sequence.Made make(Journey journey, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        CardPlan seen = ascent.plan();
        AtomicBoolean other = new AtomicBoolean();
        RunRecord run = journey.walk(seen.card(), seen.choices(), ascent.last(), new Comparing(watcher, plan -> {
            if (!intended(plan).equals(intended(seen))) {
                other.set(true);
                stop.ask();
            }
        }), stop);
        return other.get() ? new Sequence.Made(List.of(), Optional.of(new Trouble(Trouble.Kind.REMOTE, seen.card().host(),
                "what would be changed is not as it was shown any more",
                "Nothing was changed. What shows now was just read: look at it, and walk again.")))
                : new Sequence.Made(List.of(run), Optional.empty());
    }

    private List<List<Object>> intended(CardPlan plan) {
        return Ascent.upTo(plan, ascent.last()).stream()
                .map(s -> s.answer().intended().stream().map(ShownWalk::seen).toList()).toList();
    }

    /** What of a change is the same at each look: the pod of each look has a name of its own. */
    private static Object seen(Change change) {
        return switch (change) {
            case PodRun run -> List.of(run.card(), run.expects(), run.manifest().path("spec"), run.pauses());
            default -> change;
        };
    }

    private interface Judge {
        void judge(CardPlan plan);
    }

    private record Comparing(Watcher to, Judge judge) implements Watcher {
        @Override
        public void line(Line line) {
            to.line(line);
        }

        @Override
        public void moved(RunRecord run) {
            to.moved(run);
        }

        @Override
        public void looked(CardPlan plan) {
            to.looked(plan);
        }

        @Override
        public void previewed(CardPlan plan) {
            judge.judge(plan);
            to.previewed(plan);
        }
    }
}
