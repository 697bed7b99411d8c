package dev.pitwall.ui.setup;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.Journey;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.run.Preview;
import dev.pitwall.ui.run.SiteWork;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A walk that ends before its first change if what it finds at its start is not what the person has seen. */
record ShownWalk(Ascent ascent) implements SiteWork.Making<Sequence.Made> {

    @Override
    public Sequence.Made make(Journey journey, Watcher watcher, Stop stop) throws TroubleException, InterruptedException {
        CardPlan seen = ascent.plan();
        AtomicReference<Optional<String>> other = new AtomicReference<>(Optional.empty());
        RunRecord run = journey.walk(seen.card(), seen.choices(), ascent.last(), new Comparing(watcher, plan -> {
            other.set(Preview.otherThanShown(seen, plan, ascent.last()));
            if (other.get().isPresent()) {
                stop.ask();
            }
        }), stop);
        return other.get().map(what -> new Sequence.Made(List.of(), Optional.of(new Trouble(Trouble.Kind.REMOTE, seen.card().host(),
                "this is not as it was shown any more: " + what,
                "Nothing was changed. What shows now was just read: look at it, and walk again."))))
                .orElseGet(() -> new Sequence.Made(List.of(run), Optional.empty()));
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
