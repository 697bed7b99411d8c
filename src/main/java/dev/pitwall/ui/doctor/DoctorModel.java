package dev.pitwall.ui.doctor;

import dev.pitwall.card.Card;
import dev.pitwall.card.Trouble;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.doctor.report.MarkdownReport;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.change.Effects;
import dev.pitwall.ui.doctor.DoctorPage.Activity;
import dev.pitwall.ui.doctor.DoctorPage.Body;
import dev.pitwall.ui.doctor.FindingLines.Item;
import dev.pitwall.ui.doctor.FindingLines.Surety;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.run.Ask;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/** The Doctor page of one site: which diagnosis shows, which finding of it, and what is done against it. */
final class DoctorModel {

    private final Texts texts;
    private final InstantSource clock;
    private final SiteCare care;
    private final FindingLines lines;
    private final FindingViews views;
    private final DoctorWords words;
    private final Curing curing;
    private final ReadOnlyObjectWrapper<DoctorPage> page = new ReadOnlyObjectWrapper<>(DoctorPage.NOTHING);
    private Optional<Given> given = Optional.empty();
    private Optional<String> judging = Optional.empty();
    private Optional<Ask<Diagnosis>> judges = Optional.empty();
    private Optional<Trouble> refused = Optional.empty();
    private Optional<String> chosen = Optional.empty();
    private Optional<String> card = Optional.empty();
    private Optional<Subject> wanted = Optional.empty();
    private String note = "";
    private boolean drawing;

    /** Evidence that somebody has pasted or opened, with what it shows. */
    private record Given(String name, Diagnosis diagnosis, Duration took) {
    }

    /** @param later does something once a time is over, in the window's thread */
    DoctorModel(Texts texts, InstantSource clock, SiteCare care, Optional<SiteWork> work,
                BiConsumer<Duration, Runnable> later) {
        this.texts = texts;
        this.clock = clock;
        this.care = care;
        this.lines = new FindingLines(texts);
        this.views = new FindingViews(texts, care::title);
        this.words = new DoctorWords(texts);
        this.curing = new Curing(texts, care, work, later, this::draw);
        care.lookProperty().addListener((_, before, look) -> looked(before, look));
        care.pointedProperty().addListener((_, _, id) -> pointed(id));
        pointed(care.pointedProperty().get());
    }

    ReadOnlyObjectProperty<DoctorPage> pageProperty() {
        return page.getReadOnlyProperty();
    }

    /** The last run that cured something. */
    ReadOnlyObjectProperty<Optional<RunRecord>> curedProperty() {
        return curing.curedProperty();
    }

    /** The page is seen: somebody should have looked. */
    void opened() {
        Look look = care.lookProperty().get();
        if (look.seen().isEmpty() && look.trouble().isEmpty()) {
            care.look();
        }
        draw();
    }

    /** Shows the finding of a card, after one more look if there is none yet. */
    void opened(Subject subject) {
        back();
        wanted = Optional.of(subject);
        if (!found()) {
            care.look();
        }
        draw();
    }

    private void looked(Look before, Look now) {
        if (before.isGoing() && !now.isGoing() && wanted.isPresent() && !found()) {
            note = cardOf(wanted.get()).map(c -> words.none(c, wanted.get().floor())).orElse("");
            wanted = Optional.empty();
        }
        draw();
    }

    /** Chooses the finding of the card that is wanted, if there is one. */
    private boolean found() {
        Optional<Card> about = wanted.flatMap(this::cardOf);
        Optional<String> id = about.flatMap(c -> care.lookProperty().get().seen()
                .flatMap(seen -> words.findingOf(c, wanted.get().floor(), FindingLines.items(seen.diagnosis()))));
        id.ifPresent(found -> {
            chosen = id;
            card = wanted.map(Subject::cardId);
            note = "";
            wanted = Optional.empty();
        });
        return id.isPresent();
    }

    private Optional<Card> cardOf(Subject subject) {
        return care.view().cards().stream().filter(c -> c.id().equals(subject.cardId())).findFirst();
    }

    /** Somebody elsewhere in the window means this finding of the site. */
    private void pointed(Optional<String> id) {
        if (id.isPresent()) {
            back();
            chosen = id;
            card = Optional.empty();
            note = "";
        }
        draw();
    }

    void choose(String id) {
        chosen = Optional.of(id);
        card = Optional.empty();
        draw();
    }

    /** Chooses the card that the fix is for. */
    void chooseCard(String id) {
        card = Optional.of(id);
        draw();
    }

    /** Looks at the site once more, and reads the fix anew. */
    void lookAgain() {
        back();
        note = "";
        care.lookAgain();
        curing.again();
        draw();
    }

    /** Ends what goes on. */
    void cancel() {
        if (judging.isPresent()) {
            judges.ifPresent(Ask::forget);
            judging = Optional.empty();
            draw();
        } else {
            care.cancel();
        }
    }

    /**
     * Judges evidence by itself.
     *
     * @param name what the page calls it
     */
    void judge(String name, Evidence evidence) {
        judges.ifPresent(Ask::forget);
        refused = Optional.empty();
        judging = Optional.of(name);
        Instant since = clock.instant();
        judges = Optional.of(care.judge(evidence, answer -> judged(name, since, answer)));
        draw();
    }

    private void judged(String name, Instant since, Answered<Diagnosis> answer) {
        judging = Optional.empty();
        switch (answer) {
            case Answered.Got<Diagnosis>(Diagnosis diagnosis) -> {
                given = Optional.of(new Given(name, diagnosis, Duration.between(since, clock.instant())));
                chosen = Optional.empty();
                note = "";
            }
            case Answered.Troubled<Diagnosis>(Trouble trouble) -> refused = Optional.of(trouble);
        }
        draw();
    }

    /** Back to the site's own diagnosis. */
    void back() {
        refused = Optional.empty();
        if (given.isPresent()) {
            given = Optional.empty();
            chosen = Optional.empty();
        }
        draw();
    }

    /** The fix as commands for a person; empty text where there are none. */
    String commands() {
        return curing.commands();
    }

    Optional<Effects.Question> question() {
        return curing.question();
    }

    void apply() {
        curing.apply();
    }

    void stop() {
        curing.stop();
    }

    /** Reads the fix again. */
    void readFix() {
        curing.again();
        draw();
    }

    /** The diagnosis that shows, for others to read; nothing if there is none. */
    void report(Consumer<Answered<String>> answer) {
        diagnosis().ifPresent(d -> care.ask(() -> MarkdownReport.of(d), answer));
    }

    /** True once the page shows what it has to read. */
    boolean settled() {
        Look look = care.lookProperty().get();
        return !look.isGoing() && (look.seen().isPresent() || look.trouble().isPresent()) && judging.isEmpty()
                && (given.isPresent() || curing.settled());
    }

    /** A second has passed, or the site has changed. */
    void draw() {
        if (drawing) {
            return;
        }
        drawing = true;
        List<Item> items = diagnosis().map(FindingLines::items).orElse(List.of());
        Optional<Item> item = chosen(items);
        chosen = item.map(FindingLines::id);
        if (given.isEmpty()) {
            item.ifPresentOrElse(i -> curing.follow(i, card), curing::leave);
        } else {
            curing.leave();
        }
        page.set(drawn(item));
        drawing = false;
    }

    private Optional<Diagnosis> diagnosis() {
        return given.map(Given::diagnosis).or(() -> care.lookProperty().get().seen().map(Look.Seen::diagnosis));
    }

    /** The one that was chosen; once it is gone, the lowest that is certain. What means nothing shows only if it is chosen. */
    private Optional<Item> chosen(List<Item> items) {
        return chosen.flatMap(id -> items.stream().filter(i -> FindingLines.id(i).equals(id)).findFirst())
                .or(() -> items.stream().filter(i -> switch (i) {
                    case Item.Found f -> f.surety() == Surety.CERTAIN;
                    case Item.Waits _, Item.Next _, Item.Unseen _ -> false;
                }).findFirst())
                .or(() -> items.stream().filter(i -> switch (i) {
                    case Item.Found f -> f.surety() != Surety.HARMLESS;
                    case Item.Waits _, Item.Next _ -> true;
                    case Item.Unseen _ -> false;
                }).findFirst());
    }

    private DoctorPage drawn(Optional<Item> item) {
        Look look = care.lookProperty().get();
        Instant now = clock.instant();
        List<Card> cards = given.isPresent() ? List.of() : care.view().cards();
        String counts = diagnosis().map(d -> words.counts(d, given.map(Given::name), care.view().site().name())).orElse("");
        List<FindingGroup> groups = diagnosis().map(d -> lines.groups(d, cards, now)).orElse(List.of());
        return new DoctorPage(counts, groups, chosen, body(item, cards, look, now), activity(look),
                given.map(Given::name), refused.or(() -> given.isPresent() ? Optional.empty() : look.trouble()), note,
                foot(look));
    }

    private Body body(Optional<Item> item, List<Card> cards, Look look, Instant now) {
        if (item.isPresent()) {
            return new Body.Shown(view(item.get(), cards, look, now));
        }
        if (given.isPresent()) {
            return new Body.Empty(words.nothingIn(given.get().diagnosis().looked()), texts.get("doctor.nothing-in.text"));
        }
        return look.seen().<Body>map(seen -> new Body.Empty(words.nothing(seen, care.view()),
                seen.diagnosis().unseen().isEmpty() ? "" : texts.get("doctor.nothing.unseen")))
                .orElseGet(() -> look.isGoing() ? new Body.Reading()
                        : new Body.Empty(texts.get("doctor.not-looked"), ""));
    }

    private FindingView view(Item item, List<Card> cards, Look look, Instant now) {
        FindingViews.Around around = new FindingViews.Around(cards, care::since,
                given.isPresent() ? Optional.empty() : look.seen().map(Look.Seen::at), now);
        return given.isPresent()
                ? views.of(item, around, List.of(), Optional.empty(), Curing.byHand(texts, item))
                : views.of(item, around, choices(item, cards), curing.ended(item), curing.fix(item));
    }

    /** A fix is for one card; where a finding is about several, the person says which. */
    private List<FindingView.Choice> choices(Item item, List<Card> cards) {
        return switch (item) {
            case Item.Found(Finding f, Surety _) -> {
                List<Card> about = FindingPlace.of(f, cards).cards();
                String now = card.or(() -> about.stream().map(Card::id).filter(f.cards()::contains).findFirst())
                        .or(() -> about.stream().map(Card::id).findFirst()).orElse("");
                yield about.size() < 2 || !words.isPerCard(f) ? List.of() : about.stream()
                        .map(c -> new FindingView.Choice(c.id(), words.name(c), c.id().equals(now))).toList();
            }
            case Item.Waits _, Item.Next _, Item.Unseen _ -> List.of();
        };
    }

    private Activity activity(Look look) {
        return judging.<Activity>map(Activity.Looking::new)
                .or(() -> look.now().map(g -> new Activity.Looking(g.reading()))).orElseGet(Activity.Idle::new);
    }

    private String foot(Look look) {
        return given.map(g -> words.foot(g.diagnosis().looked(), g.took()))
                .or(() -> look.seen().map(seen -> words.foot(seen, care.view()))).orElse("");
    }
}
