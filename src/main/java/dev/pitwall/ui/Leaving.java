package dev.pitwall.ui;

import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.change.AskDialog;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.run.UnderWay;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Optional;
import javafx.beans.value.ChangeListener;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/** Asks before a run that is under way is left: says what runs, and what becomes of it either way. */
final class Leaving {

    private final Desk desk;
    private final Texts texts;
    private final AskDialog dialogs;

    /** What is about to be done, for which the connections end. */
    enum Way {
        CLOSE("close"), DISCONNECT("disconnect"),
        /** A site's connections may be edited only once nothing runs: they are made anew after it. */
        EDIT("edit");

        private final String word;

        Way(String word) {
            this.word = word;
        }
    }

    Leaving(Desk desk) {
        this.desk = desk;
        this.texts = desk.texts();
        this.dialogs = new AskDialog(desk);
    }

    /** True if nothing is under way on any of these sites. */
    static boolean isQuiet(List<OpenSite> sites) {
        return sites.stream().allMatch(s -> underWay(s).isEmpty());
    }

    private static Optional<UnderWay> underWay(OpenSite site) {
        return site.work().flatMap(w -> w.runningProperty().get());
    }

    /** @param then is done at once where nothing is under way */
    void leave(List<OpenSite> sites, Way way, Runnable then) {
        if (isQuiet(sites)) {
            then.run();
            return;
        }
        VBox content = new VBox(8);
        sites.forEach(site -> underWay(site).ifPresent(run -> content.getChildren().add(words(what(site, run), "strong"))));
        content.getChildren().add(words(texts.get("leave." + way.word + ".stop"), "ask-text"));
        Button stay = dialogs.stay(texts.get("leave.stay"));
        Button stop = new Button(texts.get("leave.stop." + way.word));
        stop.getStyleClass().add("accent");
        stop.setOnAction(_ -> {
            stop.setDisable(true);
            stop.setText(texts.get("setup.stopping"));
            whenQuiet(sites, stop, then);
            sites.forEach(site -> site.work().ifPresent(SiteWork::stop));
        });
        if (way == Way.EDIT) {
            dialogs.show(texts.get("leave.title"), content, List.of(stay, stop), stay);
            return;
        }
        content.getChildren().add(words(texts.get("leave.now"), "ask-text"));
        Button now = AskDialog.danger(texts.get("leave.now." + way.word));
        now.setOnAction(_ -> {
            desk.overlay().close();
            then.run();
        });
        dialogs.show(texts.get("leave.title"), content, List.of(stay, stop, now), stay);
    }

    /** Goes on once all have ended, if the person still waits for it. */
    private void whenQuiet(List<OpenSite> sites, Button waiting, Runnable then) {
        if (isQuiet(sites)) {
            desk.overlay().close();
            then.run();
            return;
        }
        sites.stream().flatMap(s -> s.work().stream()).forEach(work ->
                work.runningProperty().addListener(new ChangeListener<>() {
                    @Override
                    public void changed(ObservableValue<? extends Optional<UnderWay>> property,
                                        Optional<UnderWay> before, Optional<UnderWay> now) {
                        if (now.isPresent()) {
                            return;
                        }
                        property.removeListener(this);
                        if (isQuiet(sites) && waiting.getScene() != null) {
                            desk.overlay().close();
                            // What has just ended is told to the pages first.
                            desk.ui().later(then);
                        }
                    }
                }));
    }

    private String what(OpenSite site, UnderWay run) {
        Optional<RunRecord> record = run.record();
        if (record.isEmpty()) {
            return texts.get("leave.what.starting", site.site().name(), run.title());
        }
        RunRecord r = record.get();
        return r.changes().stream().filter(c -> c.state() == ChangeRecord.State.RUNNING
                        || c.state() == ChangeRecord.State.TO_DO).findFirst()
                .map(at -> texts.get("leave.what.change", r.number(), r.host(), r.title(), at.position(),
                        r.changes().size(), at.change().target()))
                .orElseGet(() -> texts.get("leave.what", r.number(), r.host(), r.title()));
    }

    private static Label words(String text, String styleClass) {
        Label label = new Label(text);
        label.setWrapText(true);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
