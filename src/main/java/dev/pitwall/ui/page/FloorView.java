package dev.pitwall.ui.page;

import dev.pitwall.card.Card;
import dev.pitwall.card.FloorState;
import dev.pitwall.card.FloorStatus;
import dev.pitwall.card.Reading;
import dev.pitwall.ui.garage.ReadingsList;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import javafx.css.PseudoClass;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** What is known about one floor of one card now: its sentence, the named cause, the readings. It can be shown anew. */
final class FloorView extends VBox {

    private final Texts texts;
    private final HBox state = new HBox(6);
    private final MarkIcon mark = new MarkIcon();
    private final Label where = styled("secondary");
    private final Label sentence = styled("page-title");
    private final Label trap = styled("code");
    private final Label gone = styled("secondary");
    private final VBox readings = new VBox();
    private List<String> drawnReadings = List.of();

    FloorView(Texts texts) {
        super(12);
        this.texts = texts;
        sentence.setWrapText(true);
        gone.setText(texts.get("about.gone"));
        gone.setVisible(false);
        gone.managedProperty().bind(gone.visibleProperty());
        trap.managedProperty().bind(trap.visibleProperty());
        state.getStyleClass().add("floor-state");
        state.setAlignment(Pos.CENTER_LEFT);
        state.getChildren().addAll(mark, where);
        readings.getStyleClass().add("panel");
        Label title = styled("section");
        title.setText(texts.get("about.readings"));
        VBox.setMargin(title, new Insets(12, 0, 0, 0));
        getChildren().addAll(new VBox(4, state, sentence, trap, gone), title, readings);
    }

    void show(Card card, FloorStatus floor, Instant now) {
        gone.setVisible(false);
        mark.show(markOf(floor), OptionalDouble.empty());
        for (FloorState s : FloorState.values()) {
            state.pseudoClassStateChanged(PseudoClass.getPseudoClass(s.wireName()), s == floor.state());
        }
        where.setText(texts.get("about.where", texts.get("floor." + floor.floor().wireName()), card.host(), card.name(),
                floor.state().wireName()));
        sentence.setText(floor.summary());
        trap.setVisible(floor.trap().isPresent());
        trap.setText(floor.trap().map(name -> texts.get("about.trap", name)).orElse(""));
        List<String> lines = floor.readings().stream().map(r -> line(r, now)).toList();
        if (!lines.equals(drawnReadings) || readings.getChildren().isEmpty()) {
            drawnReadings = lines;
            readings.getChildren().setAll(new ReadingsList(floor.readings(), now, texts));
        }
    }

    /** The card is not seen any more; what was known last stays. */
    void gone() {
        gone.setVisible(true);
    }

    private static String line(Reading r, Instant now) {
        return r.name() + r.value() + r.source() + Ages.brief(Duration.between(r.at(), now));
    }

    static Mark markOf(FloorStatus floor) {
        return switch (floor.state()) {
            case OK -> Mark.OK;
            case WAITING -> floor.progress().isPresent() ? Mark.RING : Mark.CLOCK;
            case FAILING -> Mark.FAILING;
            case BLOCKED -> Mark.LOCK;
            case UNKNOWN -> Mark.QUESTION;
            case NOT_APPLICABLE -> Mark.MINUS;
        };
    }

    private static Label styled(String styleClass) {
        Label label = new Label();
        label.getStyleClass().add(styleClass);
        return label;
    }
}
