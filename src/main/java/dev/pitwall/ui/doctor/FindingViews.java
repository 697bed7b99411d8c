package dev.pitwall.ui.doctor;

import dev.pitwall.card.Card;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Diagnosis.Waiting;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.ui.change.CodeLine;
import dev.pitwall.ui.doctor.FindingLines.Item;
import dev.pitwall.ui.doctor.FindingLines.Surety;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Makes the right side of the page. Pure but for the titles of causes, which come from the catalogue. */
final class FindingViews {

    private final Texts texts;
    private final FindingLines lines;
    private final EvidencePanels panels;
    private final UnaryOperator<String> title;

    /** @param title what the catalogue calls a cause */
    FindingViews(Texts texts, UnaryOperator<String> title) {
        this.texts = texts;
        this.lines = new FindingLines(texts);
        this.panels = new EvidencePanels(texts);
        this.title = title;
    }

    /**
     * What is known around a finding.
     *
     * @param cards  of the site; none for saved evidence
     * @param seen   since when a finding is seen
     * @param looked when the evidence was read; empty for saved evidence
     */
    record Around(List<Card> cards, Function<Finding, Optional<Instant>> seen, Optional<Instant> looked, Instant now) {
    }

    FindingView of(Item item, Around around, List<FindingView.Choice> others, Optional<FindingView.Ended> ended, Fix fix) {
        return switch (item) {
            case Item.Found(Finding f, Surety surety) -> finding(item, f, FindingLines.mark(surety),
                    FindingLines.tone(surety), OptionalDouble.empty(), f.summary(), around, others, ended, fix);
            case Item.Waits(Waiting w) -> finding(item, w.finding(), Mark.RING, Tone.ACT,
                    FindingLines.progress(w, around.now()), lines.wait(w, around.now()) + " " + w.finding().summary(),
                    around, others, ended, fix);
            case Item.Next(String sentence) -> plain(item, around, sentence, fix);
            case Item.Unseen(String sentence) -> plain(item, around, FindingLines.rest(sentence), fix);
        };
    }

    private FindingView plain(Item item, Around around, String text, Fix fix) {
        FindingLine line = lines.line(item, around.cards(), around.now());
        return new FindingView(line.id(), line.mark(), line.tone(), line.progress(), "", "", "", line.title(), text,
                List.of(), "", List.of(), List.of(), Optional.empty(), fix);
    }

    private FindingView finding(Item item, Finding f, Mark mark, Tone tone, OptionalDouble progress, String text,
                                Around around, List<FindingView.Choice> others, Optional<FindingView.Ended> ended, Fix fix) {
        List<EvidencePanel> evidence = panels.of(f);
        return new FindingView(FindingLines.id(item), mark, tone, progress, where(f, around.cards()), seen(f, around),
                f.trap().name(), f.trap().title(), text, evidence, counted(evidence), reasons(f), others, ended, fix);
    }

    private String where(Finding finding, List<Card> cards) {
        String place = FindingPlace.of(finding, cards).full(texts);
        String floor = finding.trap().floor().wireName();
        return place.isEmpty() ? floor : texts.get("doctor.where", floor, place);
    }

    private String seen(Finding finding, Around around) {
        if (around.looked().isEmpty()) {
            return "";
        }
        String read = texts.get("doctor.read", Ages.brief(Duration.between(around.looked().get(), around.now())));
        return around.seen().apply(finding).filter(since -> since.isBefore(around.looked().get()))
                .map(since -> texts.get("doctor.seen", Ages.brief(Duration.between(since, around.now())), read)).orElse(read);
    }

    private String counted(List<EvidencePanel> evidence) {
        int deciding = (int) evidence.stream().flatMap(p -> p.lines().stream())
                .filter(l -> l.look() == CodeLine.Look.DECIDES).count();
        return evidence.isEmpty() ? texts.get("doctor.evidence.none")
                : texts.count("doctor.readings", evidence.size()) + ", " + texts.count("doctor.lines", deciding);
    }

    /** What was ruled out by a reading, then what else it is mistaken for, each once. */
    private List<FindingView.Reason> reasons(Finding finding) {
        Map<String, String> because = new LinkedHashMap<>();
        finding.ruledOut().forEach(r -> because.merge(r.trap(), r.because(), (a, b) -> a + "; " + b));
        for (Trap.LookAlike other : finding.trap().mistakenFor()) {
            if (!finding.explained().contains(other.trap())) {
                because.putIfAbsent(other.trap(), other.differs());
            }
        }
        return because.entrySet().stream().map(r -> new FindingView.Reason(title.apply(r.getKey()), r.getValue())).toList();
    }
}
