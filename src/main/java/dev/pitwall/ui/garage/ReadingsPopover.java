package dev.pitwall.ui.garage;

import dev.pitwall.card.Floor;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.ui.shell.PopoverPanel;
import dev.pitwall.ui.words.Texts;
import java.time.Instant;
import java.time.InstantSource;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.VBox;
import org.controlsfx.control.PopOver;

/** What a floor's statement rests on, beside the floor. */
final class ReadingsPopover {

    private static final double WIDTH = 460;
    private static final double TALLEST = 320;

    private final Texts texts;
    private final InstantSource clock;
    private final PopoverPanel panel = new PopoverPanel();

    ReadingsPopover(Texts texts, InstantSource clock) {
        this.texts = texts;
        this.clock = clock;
    }

    void show(Node beside, TowerLine tower, Floor floor) {
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
        content.setPrefWidth(WIDTH);
        panel.show(beside, content, PopOver.ArrowLocation.TOP_CENTER);
    }
}
