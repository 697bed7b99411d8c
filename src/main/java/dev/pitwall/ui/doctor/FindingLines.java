package dev.pitwall.ui.doctor;

import dev.pitwall.card.Card;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Diagnosis.Waiting;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.Tone;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Makes the entries of the list. Pure: the same diagnosis gives the same entries. */
final class FindingLines {

    private static final String NEXT = "next ";
    private static final String UNSEEN = "unseen ";

    private final Texts texts;

    FindingLines(Texts texts) {
        this.texts = texts;
    }

    /** What an entry of the list stands for. */
    sealed interface Item {
        record Found(Finding finding, Surety surety) implements Item {
        }

        record Waits(Waiting waiting) implements Item {
        }

        record Next(String sentence) implements Item {
        }

        record Unseen(String sentence) implements Item {
        }
    }

    /** How much a finding is one. */
    enum Surety { CERTAIN, LIKELY, ADVICE, HARMLESS }

    /** Everything that can be chosen, in the order of the list. */
    static List<Item> items(Diagnosis diagnosis) {
        Stream<Item> waits = diagnosis.waiting().stream().map(Item.Waits::new);
        Stream<Item> certain = diagnosis.findings().stream().filter(Finding::certain)
                .map(f -> new Item.Found(f, Surety.CERTAIN));
        Stream<Item> upwards = Stream.<Item>concat(waits, certain).sorted(Comparator.comparing(FindingLines::floor));
        Stream<Item> likely = diagnosis.findings().stream().filter(f -> !f.certain())
                .map(f -> new Item.Found(f, Surety.LIKELY));
        Stream<Item> advice = diagnosis.advice().stream().map(f -> new Item.Found(f, Surety.ADVICE));
        Stream<Item> harmless = diagnosis.harmless().stream().map(f -> new Item.Found(f, Surety.HARMLESS));
        return Stream.of(upwards, likely, advice, diagnosis.next().stream().map(Item.Next::new),
                diagnosis.unseen().stream().map(Item.Unseen::new), harmless).<Item>flatMap(s -> s).toList();
    }

    private static Integer floor(Item item) {
        return switch (item) {
            case Item.Found f -> f.finding().trap().floor().ordinal();
            case Item.Waits w -> w.waiting().finding().trap().floor().ordinal();
            case Item.Next _, Item.Unseen _ -> Integer.MAX_VALUE;
        };
    }

    static String id(Item item) {
        return switch (item) {
            case Item.Found f -> f.finding().trap().name();
            case Item.Waits w -> w.waiting().finding().trap().name();
            case Item.Next n -> NEXT + n.sentence();
            case Item.Unseen u -> UNSEEN + u.sentence();
        };
    }

    /** @param cards of the site; none for evidence that somebody has saved */
    List<FindingGroup> groups(Diagnosis diagnosis, List<Card> cards, Instant now) {
        List<FindingLine> upwards = new ArrayList<>();
        List<FindingLine> next = new ArrayList<>();
        List<FindingLine> unseen = new ArrayList<>();
        List<FindingLine> harmless = new ArrayList<>();
        for (Item item : items(diagnosis)) {
            FindingLine line = line(item, cards, now);
            switch (item) {
                case Item.Found f when f.surety() == Surety.HARMLESS -> harmless.add(brief(line));
                case Item.Found _, Item.Waits _ -> upwards.add(line);
                case Item.Next _ -> next.add(line);
                case Item.Unseen _ -> unseen.add(line);
            }
        }
        return Stream.of(new FindingGroup(texts.get("doctor.group.upwards"), "fth-arrow-up", upwards),
                new FindingGroup(texts.get("doctor.group.next"), "fth-arrow-right", next),
                new FindingGroup(texts.get("doctor.group.unseen"), "fth-eye-off", unseen),
                new FindingGroup(texts.get("doctor.group.harmless"), "fth-check", harmless))
                .filter(group -> !group.lines().isEmpty()).toList();
    }

    /** What means nothing takes no room: it says more when it is chosen. */
    private static FindingLine brief(FindingLine line) {
        return new FindingLine(line.id(), line.mark(), line.tone(), line.progress(), line.title(), "", List.of());
    }

    FindingLine line(Item item, List<Card> cards, Instant now) {
        return switch (item) {
            case Item.Found(Finding f, Surety surety) -> new FindingLine(id(item), mark(surety), tone(surety),
                    OptionalDouble.empty(), f.trap().title(), text(f), chips(f, cards, word(surety)));
            case Item.Waits(Waiting w) -> new FindingLine(id(item), Mark.RING, Tone.ACT, progress(w, now),
                    w.finding().trap().title(), wait(w, now), chips(w.finding(), cards, texts.get("doctor.chip.wait")));
            case Item.Next(String sentence) -> new FindingLine(id(item), Mark.CIRCLE, Tone.GREY, OptionalDouble.empty(),
                    texts.get("doctor.next.title"), sentence, List.of());
            case Item.Unseen(String sentence) -> new FindingLine(id(item), Mark.QUESTION, Tone.GREY, OptionalDouble.empty(),
                    first(sentence), rest(sentence), List.of(texts.get("doctor.chip.unseen")));
        };
    }

    private String text(Finding finding) {
        return finding.explained().isEmpty() ? finding.summary()
                : finding.summary() + " " + texts.count("doctor.explains", finding.explained().size());
    }

    private List<String> chips(Finding finding, List<Card> cards, String word) {
        return Stream.of(finding.trap().floor().wireName(), FindingPlace.of(finding, cards).brief(texts), word)
                .filter(chip -> !chip.isEmpty()).toList();
    }

    /** How long a wait goes on, and how long is normal. */
    String wait(Waiting wait, Instant now) {
        String normal = Ages.span(wait.normal());
        if (wait.since().isEmpty()) {
            return wait.normal().isZero() ? texts.get("doctor.wait.open") : texts.get("doctor.wait.unknown", normal);
        }
        Duration elapsed = Duration.between(wait.since().get(), now);
        return elapsed.compareTo(wait.normal()) <= 0 ? texts.get("doctor.wait.normal", Ages.span(elapsed), normal)
                : texts.get("doctor.wait.long", Ages.span(elapsed), normal);
    }

    static OptionalDouble progress(Waiting wait, Instant now) {
        return wait.since().isEmpty() || wait.normal().isZero() ? OptionalDouble.empty()
                : OptionalDouble.of(Math.clamp(Duration.between(wait.since().get(), now).toMillis()
                        / (double) wait.normal().toMillis(), 0, 1));
    }

    static Mark mark(Surety surety) {
        return switch (surety) {
            case CERTAIN -> Mark.FAILING;
            case LIKELY -> Mark.TRIANGLE;
            case ADVICE -> Mark.INFO;
            case HARMLESS -> Mark.MINUS;
        };
    }

    static Tone tone(Surety surety) {
        return switch (surety) {
            case CERTAIN -> Tone.FAILING;
            case LIKELY -> Tone.BLOCKED;
            case ADVICE, HARMLESS -> Tone.GREY;
        };
    }

    private String word(Surety surety) {
        return switch (surety) {
            case CERTAIN -> texts.get("doctor.chip.certain");
            case LIKELY -> texts.get("doctor.chip.likely");
            case ADVICE -> texts.get("doctor.chip.advice");
            case HARMLESS -> texts.get("doctor.chip.harmless");
        };
    }

    /** The first sentence, without its full stop. */
    static String first(String text) {
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end);
    }

    static String rest(String text) {
        int end = text.indexOf(". ");
        return end < 0 ? "" : text.substring(end + 2);
    }
}
