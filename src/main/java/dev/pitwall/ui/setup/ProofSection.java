package dev.pitwall.ui.setup;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.CardPlan;
import dev.pitwall.ui.SavedFile;
import dev.pitwall.ui.proof.CallDialog;
import dev.pitwall.ui.proof.ProofModel;
import dev.pitwall.ui.proof.ProofPage;
import dev.pitwall.ui.proof.ProofPane;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import javafx.beans.value.ChangeListener;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.Pane;

/** What the step of the proof has beside what every step has: its result, the roll call and the report. */
final class ProofSection {

    private static final String STEP = "proof";

    /**
     * @param instead what a proved card needs no more: what every step has
     * @param bar     buttons of a step that a proved card has no use for
     */
    record Parts(Pane head, Pane body, List<Node> instead, List<Node> bar, Button byHand, Button again, Button save,
                 Label why) {
    }

    /** What it asks of the page. */
    interface Asks {
        /** Cards were proved: what was read of them is old. */
        void called();

        void choose(String cardId);

        void copy(String text);

        /** The roll call is to be in sight. */
        void reveal();
    }

    private final Parts parts;
    private final Desk desk;
    private final Texts texts;
    private final InstantSource clock;
    private final Asks asks;
    private final ProofPane pane;
    private final Map<OpenSite, ProofModel> models = new WeakHashMap<>();
    private final ChangeListener<ProofPage> redraw = (_, _, _) -> draw();
    private ProofModel model;
    private boolean shows;

    ProofSection(Parts parts, Desk desk, InstantSource clock, SavedFile saved, Asks asks) {
        this.parts = parts;
        this.desk = desk;
        this.texts = desk.texts();
        this.clock = clock;
        this.asks = asks;
        this.pane = new ProofPane(parts.head(), parts.body(), texts, new ProofPane.Acts() {
            @Override
            public void callAll() {
                new CallDialog(desk).ask(texts.get("proof.ask.all", model.cards()), what -> {
                    model.callAll(what);
                    asks.reveal();
                });
            }

            @Override
            public void choose(String cardId) {
                asks.choose(cardId);
            }

            @Override
            public void copy(String text) {
                asks.copy(text);
            }
        });
        parts.again().setOnAction(_ -> new CallDialog(desk).ask(texts.get("proof.ask.one", model.chosenName()),
                what -> model.again(what)));
        parts.save().setOnAction(_ -> saved.save(parts.save(), texts.get("proof.save"), texts.get("proof.save.name"),
                model.report()));
        hide();
    }

    /** Each open site has its own, which comes back with it. */
    void show(Optional<OpenSite> site) {
        if (model != null) {
            model.pageProperty().removeListener(redraw);
        }
        model = site.map(s -> models.computeIfAbsent(s, o -> new ProofModel(texts, clock, o.work(), asks::called)))
                .orElseGet(() -> new ProofModel(texts, clock, Optional.empty(), () -> { }));
        model.pageProperty().addListener(redraw);
        site.ifPresent(s -> model.show(s.view()));
    }

    /**
     * Takes over what the page shows now.
     *
     * @param held why nothing can be made now; empty text if it can
     */
    void follow(SetupPage page, Optional<CardPlan> plan, String held) {
        shows = page.body() instanceof SetupPage.Body.Shown(StepView step) && step.id().equals(STEP);
        if (!shows) {
            hide();
            return;
        }
        Optional<Answer> says = plan.flatMap(p -> p.step(STEP)).map(CardPlan.Planned::answer);
        page.card().ifPresent(card -> model.choose(card.id(), says, held));
        draw();
    }

    /** Cards and ages as they are now. */
    void draw(Optional<OpenSite> site, Instant now) {
        site.ifPresent(s -> model.show(s.view()));
        if (shows) {
            pane.ages(now);
        }
    }

    void wide(boolean enough) {
        pane.wide(enough);
    }

    /** True if the commands of the last proof are what is done by hand. */
    boolean hasByHand() {
        return shows && proved();
    }

    String byHand() {
        return model.byHand();
    }

    private boolean proved() {
        return model.pageProperty().get().standing() == ProofPage.Standing.PROVED;
    }

    private void hide() {
        pane.hide();
        set(parts.instead(), true);
        set(parts.bar(), true);
        set(List.of(parts.again(), parts.save()), false);
    }

    private void draw() {
        if (!shows) {
            return;
        }
        ProofPage page = model.pageProperty().get();
        pane.show(page, clock.instant());
        set(parts.instead(), !proved());
        set(parts.bar(), !proved());
        set(List.of(parts.again()), proved());
        set(List.of(parts.save()), true);
        parts.again().setDisable(!page.held().isEmpty());
        if (proved()) {
            parts.byHand().setDisable(false);
            parts.why().setText(texts.get("proof.clean"));
        }
    }

    private static void set(List<Node> nodes, boolean visible) {
        nodes.forEach(n -> {
            n.setVisible(visible);
            n.setManaged(visible);
        });
    }
}
