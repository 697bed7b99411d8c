package dev.pitwall.ui.proof;

import dev.pitwall.card.Trouble;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.proof.ProofPod;
import dev.pitwall.journey.proof.ProofRun;
import dev.pitwall.journey.proof.RollCall;
import dev.pitwall.site.SiteView;
import dev.pitwall.ui.change.ByHand;
import dev.pitwall.ui.run.Answered;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * What the page of the proof shows of one site, and what its buttons do. It has no control and knows no thread: the wizard
 * calls back where the model is used.
 */
public final class ProofModel {

    private final Texts texts;
    private final InstantSource clock;
    private final Optional<SiteWork> work;
    private final ProofWords words;
    private final RollLines rolls;
    private final Runnable called;
    private final ReadOnlyObjectWrapper<ProofPage> page = new ReadOnlyObjectWrapper<>(ProofPage.NOTHING);
    private final Map<String, RollCall.Entry> entries = new HashMap<>();
    private List<ProofCard> cards = List.of();
    private List<String> calling = List.of();
    private String chosen = "";
    private String held = "";
    private Optional<Answer> answer = Optional.empty();
    private String trouble = "";

    /**
     * @param work   empty where nothing can be changed from this window
     * @param called cards have answered, so what is known of them may be old
     */
    public ProofModel(Texts texts, InstantSource clock, Optional<SiteWork> work, Runnable called) {
        this.texts = texts;
        this.clock = clock;
        this.work = work;
        this.words = new ProofWords(texts);
        this.rolls = new RollLines(texts);
        this.called = called;
        work.ifPresent(w -> {
            w.runningProperty().addListener((_, _, _) -> build());
            w.runsProperty().addListener((_, _, _) -> build());
        });
    }

    public ReadOnlyObjectProperty<ProofPage> pageProperty() {
        return page.getReadOnlyProperty();
    }

    /** Takes over the site's cards. */
    public void show(SiteView view) {
        List<ProofCard> next = view.cards().stream().flatMap(c -> ProofCard.of(c).stream()).toList();
        if (!next.equals(cards)) {
            cards = next;
            build();
        }
    }

    /**
     * The card whose proof shows.
     *
     * @param says what its step says of it; empty until it was looked at
     * @param why  why nothing can be made now; empty text if it can
     */
    public void choose(String cardId, Optional<Answer> says, String why) {
        if (!cardId.equals(chosen) || !says.equals(answer) || !why.equals(held)) {
            chosen = cardId;
            answer = says;
            held = why;
            build();
        }
    }

    /** How many cards {@link #callAll} calls. */
    public int cards() {
        return cards.size();
    }

    /** For example {@code RTX A1000 in pve2}. */
    public String chosenName() {
        return card().map(c -> texts.get("proof.card", c.subject().name(), c.subject().host())).orElse("");
    }

    /** Proves all cards of the site anew. */
    public void callAll(RollCall.Held what) {
        call(texts.get("proof.call.title", cards.size()), Optional.empty(), cards, what);
    }

    /** Proves the chosen card anew. */
    public void again(RollCall.Held what) {
        card().ifPresent(c -> call(texts.get("proof.again.title", chosenName()), Optional.of(chosen), List.of(c), what));
    }

    private void call(String title, Optional<String> cardId, List<ProofCard> who, RollCall.Held what) {
        if (work.isEmpty() || !calling.isEmpty()) {
            return;
        }
        List<Situation.Subject> subjects = who.stream().map(ProofCard::subject).toList();
        Instant since = clock.instant();
        trouble = "";
        calling = subjects.stream().map(Situation.Subject::id).toList();
        calling.forEach(entries::remove);
        work.get().start(title, cardId, (journey, watcher, stop) ->
                new RollCall(journey).call(subjects, what, since, watcher, stop), this::answered);
        build();
    }

    private void answered(Answered<List<RollCall.Entry>> result) {
        calling = List.of();
        switch (result) {
            case Answered.Got<List<RollCall.Entry>>(List<RollCall.Entry> all) ->
                    all.forEach(entry -> entries.put(entry.card().id(), entry));
            case Answered.Troubled<List<RollCall.Entry>>(Trouble why) -> trouble = why.sentence() + ". " + why.next();
        }
        build();
        called.run();
    }

    /** The pods of the last proof as commands; empty text where there was none. */
    public String byHand() {
        return last().map(p -> ByHand.commands(p.pods().stream().map(ProofPod::run).toList())).orElse("");
    }

    /** Markdown. */
    public String report() {
        return card().map(c -> new ProofReport(texts).of(c, page.get())).orElse("");
    }

    private Optional<ProofCard> card() {
        return cards.stream().filter(c -> c.subject().id().equals(chosen)).findFirst();
    }

    private List<RunRecord> runs() {
        return work.map(w -> w.runsProperty().get()).orElse(List.of());
    }

    private Optional<ProofRun> last() {
        return ProofRun.last(runs(), chosen);
    }

    private void build() {
        Optional<UnderWay> running = work.flatMap(w -> w.runningProperty().get());
        RollLines.Facts facts = new RollLines.Facts(cards, chosen, runs(), calling, running, entries);
        boolean proved = answer.filter(a -> a.state() == Answer.State.DONE).isPresent();
        Optional<ProofRun> last = last();
        String due = proved ? "" : answer.map(Answer::why).orElse("");
        page.set(new ProofPage(proved && last.isPresent() ? ProofPage.Standing.PROVED : ProofPage.Standing.DUE,
                last.map(p -> words.head(p, due)), last.map(p -> words.proved(p, card())).orElse(List.of()),
                rolls.of(facts), rolls.tally(facts), last.map(words::log), held, trouble));
    }
}
