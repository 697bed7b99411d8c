package dev.pitwall.ui.garage;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.InstantSource;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.VBox;
import javafx.util.Duration;
import org.controlsfx.control.PopOver;

/** What a floor's statement rests on, beside the floor. */
final class ReadingsPopover {

    private static final double WIDTH = 460;
    private static final double TALLEST = 320;

    private final Texts texts;
    private final InstantSource clock;
    private PopOver open;

    ReadingsPopover(Texts texts, InstantSource clock) {
        this.texts = texts;
        this.clock = clock;
    }

    void show(Node beside, TowerLine tower, Floor floor) {
        hide();
        Instant now = clock.instant();
        FloorStatus status = tower.card().floor(floor);
        Label title = new Label(texts.get("readings.title", tower.card().host(), tower.floor(floor).name()));
        title.getStyleClass().add("section");
        Label sentence = new Label(tower.floor(floor).text());
        sentence.getStyleClass().add("secondary");
        sentence.setWrapText(true);
        ScrollPane scroll = new ScrollPane(new ReadingsList(status.readings(), now, texts));
        scroll.setFitToWidth(true);
        scroll.setMaxHeight(TALLEST);
        scroll.getStyleClass().add("plain-scroll");
        VBox content = new VBox(8, title, sentence, scroll);
        content.getStyleClass().add("popover-content");
        content.setPrefWidth(WIDTH);
        open = new PopOver(content);
        open.setArrowLocation(PopOver.ArrowLocation.TOP_CENTER);
        open.setDetachable(false);
        open.setFadeInDuration(Duration.millis(160));
        open.setFadeOutDuration(Duration.millis(160));
        content.setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ESCAPE || e.getCode() == KeyCode.SPACE) {
                hide();
            }
        });
        open.show(beside);
    }

    boolean isShowing() {
        return open != null && open.isShowing();
    }

    void hide() {
        if (open != null) {
            open.hide(Duration.ZERO);
            open = null;
        }
    }
}
