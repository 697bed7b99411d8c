package dev.pitwall.ui.setup;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is said above a step, the most urgent thing only. */
final class Banners {

    private final Texts texts;
    private final Effects effects;

    Banners(Texts texts) {
        this.texts = texts;
        this.effects = new Effects(texts);
    }

    /** A run that stopped in the middle is offered before anything else. */
    Optional<Banner> of(CardWork work, Optional<RunRecord> unfinished) {
        return unfinished.map(this::unfinished)
                .or(() -> work.ended().map(this::ended))
                .or(() -> work.plan().flatMap(_ -> work.trouble()).map(this::old));
    }

    private Banner unfinished(RunRecord run) {
        return new Banner(Mark.TRIANGLE, Tone.BLOCKED,
                texts.get("setup.unfinished", run.number(), run.title(), PastRuns.position(run), run.changes().size()),
                texts.get("setup.unfinished.next"),
                List.of(new Banner.Offer(Banner.Act.CONTINUE,
                        effects.button(texts.get("setup.continue"), PastRuns.left(run))),
                        new Banner.Offer(Banner.Act.UNDO, texts.get("setup.undo.run"))));
    }

    /** The readings below are old: their source does not answer any more. */
    private Banner old(Trouble trouble) {
        return new Banner(Mark.FAILING, Tone.FAILING, trouble.sentence(), trouble.next(),
                List.of(new Banner.Offer(Banner.Act.RETRY, texts.get("setup.retry"))));
    }

    private Banner ended(Sequence.Made made) {
        Banner.Offer close = new Banner.Offer(Banner.Act.CLOSE, texts.get("setup.close"));
        if (made.trouble().isPresent()) {
            Trouble trouble = made.trouble().get();
            return new Banner(Mark.FAILING, Tone.FAILING, before(made.runs()) + trouble.sentence(), trouble.next(),
                    List.of(close));
        }
        RunRecord last = made.runs().getLast();
        List<Banner.Offer> offers = List.of(new Banner.Offer(Banner.Act.JOURNAL, texts.get("setup.journal")), close);
        return switch (last.state()) {
            case DONE, ALREADY_SO, SKIPPED, UNDONE, RUNNING ->
                    new Banner(Mark.OK, Tone.OK, done(made.runs()), last.note().orElse(""), offers);
            case STOPPED, FAILED -> new Banner(Mark.FAILING, Tone.FAILING,
                    before(made.runs().subList(0, made.runs().size() - 1)) + stopped(last), said(last), offers);
        };
    }

    private String done(List<RunRecord> runs) {
        RunRecord last = runs.getLast();
        String took = last.took().map(Ages::took).orElse("");
        return runs.size() == 1 ? texts.get("setup.ended.done", last.number(), last.title(), last.host(), took)
                : texts.get("setup.ended.all", last.title(), hosts(runs));
    }

    private String before(List<RunRecord> runs) {
        return runs.isEmpty() ? "" : texts.get("setup.ended.before", hosts(runs)) + " ";
    }

    private static String hosts(List<RunRecord> runs) {
        return runs.stream().map(RunRecord::host).distinct().collect(Collectors.joining(", "));
    }

    private String stopped(RunRecord run) {
        String key = run.state() == RunRecord.State.FAILED ? "setup.ended.failed" : "setup.ended.stopped";
        return texts.get(key, run.number(), run.host(), culprit(run).map(ChangeRecord::position).orElse(1),
                run.changes().size());
    }

    private static String said(RunRecord run) {
        return culprit(run).flatMap(ChangeRecord::message).or(run::note).orElse("");
    }

    /** The change at which a run stopped. */
    private static Optional<ChangeRecord> culprit(RunRecord run) {
        return run.changes().stream().filter(c -> c.state() == ChangeRecord.State.FAILED
                || c.state() == ChangeRecord.State.STOPPED).findFirst()
                .or(() -> run.changes().stream().filter(c -> c.state() == ChangeRecord.State.TO_DO).findFirst());
    }
}
