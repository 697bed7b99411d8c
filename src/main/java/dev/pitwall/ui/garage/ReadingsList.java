package dev.pitwall.ui.garage;

import dev.pitwall.card.Reading;
import dev.pitwall.ui.words.Ages;
import dev.pitwall.ui.words.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javafx.geometry.HPos;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** Readings, each with its value, its source and its age. */
public final class ReadingsList extends VBox {

    public ReadingsList(List<Reading> readings, Instant now, Texts texts) {
        getStyleClass().add("readings");
        if (readings.isEmpty()) {
            Label none = new Label(texts.get("readings.none"));
            none.getStyleClass().add("muted");
            getChildren().add(none);
        }
        readings.forEach(r -> getChildren().add(row(r, now, texts)));
    }

    private static GridPane row(Reading reading, Instant now, Texts texts) {
        GridPane grid = new GridPane();
        grid.getStyleClass().add("reading");
        ColumnConstraints names = new ColumnConstraints(120);
        ColumnConstraints values = new ColumnConstraints();
        values.setHgrow(Priority.ALWAYS);
        ColumnConstraints ages = new ColumnConstraints(56);
        ages.setHalignment(HPos.RIGHT);
        grid.getColumnConstraints().setAll(names, values, ages);
        Label name = styled(reading.name(), "muted");
        Label value = styled(reading.value().orElseGet(() -> texts.get("readings.unavailable")), "body");
        Label source = styled(reading.source().system() + ": " + reading.source().detail(), "code-small");
        Label age = styled(Ages.brief(Duration.between(reading.at(), now)), "age");
        grid.add(name, 0, 0);
        grid.add(value, 1, 0);
        grid.add(age, 2, 0);
        grid.add(source, 1, 1, 2, 1);
        return grid;
    }

    private static Label styled(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
