package dev.pitwall.ui.setup;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Change;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What can be done about a step now, and why not. Pure. */
final class ActionBars {

    private final Texts texts;
    private final Effects effects;

    ActionBars(Texts texts) {
        this.texts = texts;
        this.effects = new Effects(texts);
    }

    /**
     * @param trouble    why the last look failed: what shows is older
     * @param running    what this window makes now, on any card
     * @param unfinished a run on this host that has not ended
     * @param past       the last run that changed something for this step
     * @param others     how many other cards the site has
     */
    record Facts(CardPlan plan, CardPlan.Planned step, boolean reads, Optional<Trouble> trouble,
                 Optional<UnderWay> running,
                 Optional<RunRecord> unfinished, Optional<RunRecord> past, int otherCards, boolean othersChosen,
                 Others others) {
    }

    Actions of(Facts f) {
        Actions.Primary kind = kind(f);
        return new Actions(primary(f, kind), kind, byHand(f), skip(f), undo(f), others(f), f.othersChosen());
    }

    /** Once a step is settled the accent button leads on. */
    private static Actions.Primary kind(Facts f) {
        if (f.running().isPresent()) {
            return Actions.Primary.STOP;
        }
        if (!StepLines.settled(f.step().answer().state())) {
            return Actions.Primary.APPLY;
        }
        return next(f).isPresent() ? Actions.Primary.NEXT : Actions.Primary.GARAGE;
    }

    static Optional<CardPlan.Planned> next(CardPlan plan, String step) {
        return CardWork.toDo(plan).filter(s -> !StepLines.settled(s.answer().state()) && !s.id().equals(step));
    }

    private static Optional<CardPlan.Planned> next(Facts f) {
        return next(f.plan(), f.step().id());
    }

    private Actions.Button primary(Facts f, Actions.Primary kind) {
        return switch (kind) {
            case NEXT -> new Actions.Button(texts.get("setup.next", next(f).orElseThrow().text().title()), "");
            case STOP -> stop(f.running().orElseThrow(), f.plan().card().id());
            case GARAGE -> new Actions.Button(texts.get("empty.garage"), "");
            case APPLY -> new Actions.Button(effects.button(texts.get("setup.apply"), all(f)), whyNoApply(f));
        };
    }

    /** The changes here, and those on the other cards if they are to follow. */
    static List<Change> all(Facts f) {
        List<Change> all = new ArrayList<>(f.step().answer().changes());
        if (f.othersChosen()) {
            all.addAll(f.others().changes());
        }
        return all;
    }

    private String whyNoApply(Facts f) {
        String held = whyHeld(f);
        if (!held.isEmpty()) {
            return held;
        }
        Answer answer = f.step().answer();
        if (answer.state() != Answer.State.READY) {
            return answer.why();
        }
        if (f.othersChosen() && f.others().reading()) {
            return texts.get("setup.why.others");
        }
        return answer.changes().isEmpty() ? texts.get("setup.why.choose") : "";
    }

    /** Why nothing can be made of this plan now, whatever its steps say; empty text if it can. */
    String whyHeld(Facts f) {
        if (f.running().isPresent()) {
            return runs(f.running().get());
        }
        if (f.unfinished().isPresent()) {
            return texts.get("setup.why.unfinished", f.unfinished().get().number());
        }
        if (f.reads()) {
            return texts.get("setup.why.reads", f.plan().card().host());
        }
        if (f.trouble().isPresent()) {
            return f.trouble().get().sentence();
        }
        return "";
    }

    private String runs(UnderWay running) {
        return running.record().map(r -> texts.get("setup.why.running", r.number(), r.host()))
                .orElseGet(() -> texts.get("setup.why.starting"));
    }

    private Actions.Button byHand(Facts f) {
        return new Actions.Button(texts.get("setup.by-hand"),
                f.step().answer().changes().isEmpty() ? texts.get("setup.why.nothing") : "");
    }

    private Actions.Button skip(Facts f) {
        String why = f.running().isPresent() ? runs(f.running().get())
                : StepLines.settled(f.step().answer().state()) ? texts.get("setup.why.settled") : "";
        return new Actions.Button(texts.get("setup.skip"), why);
    }

    private Actions.Button undo(Facts f) {
        String text = f.past().filter(r -> r.state() != RunRecord.State.UNDONE)
                .map(r -> texts.get("setup.undo", r.number())).orElseGet(() -> texts.get("setup.undo.none"));
        if (f.running().isPresent()) {
            return new Actions.Button(text, runs(f.running().get()));
        }
        return new Actions.Button(text, f.past().map(r -> r.state() == RunRecord.State.UNDONE
                ? texts.get("setup.why.undone", r.number()) : "").orElseGet(() -> texts.get("setup.why.not-applied")));
    }

    private Actions.Button stop(UnderWay running, String card) {
        if (running.stopping()) {
            return new Actions.Button(texts.get("setup.stopping"), texts.get("setup.why.stopping"));
        }
        return new Actions.Button(running.record().filter(r -> running.cardId().filter(id -> !id.equals(card)).isPresent())
                .map(r -> texts.get("setup.stop.other", r.number(), r.host())).orElseGet(() -> texts.get("setup.stop")), "");
    }

    private Actions.Button others(Facts f) {
        String why = f.otherCards() == 0 ? texts.get("setup.others.none")
                : f.step().answer().state() != Answer.State.READY ? texts.get("setup.others.not-ready")
                : f.running().map(this::runs).orElse("");
        return new Actions.Button(othersText(f), why);
    }

    private String othersText(Facts f) {
        if (!f.othersChosen() || f.others().all().isEmpty()) {
            return texts.count("setup.others", f.otherCards());
        }
        if (f.others().reading()) {
            return texts.get("setup.others.reading");
        }
        List<CardEntry> ready = f.others().ready();
        return switch (ready.size()) {
            case 0 -> texts.get("setup.others.nowhere");
            case 1 -> texts.get("setup.others.on", ready.getFirst().host());
            case 2 -> texts.get("setup.others.on",
                    ready.getFirst().host() + texts.get("change.and") + ready.getLast().host());
            default -> texts.get("setup.others.on-many", ready.size());
        };
    }
}
