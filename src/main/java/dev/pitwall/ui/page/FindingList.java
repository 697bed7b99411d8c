package dev.pitwall.ui.page;

import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.shell.Subject;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** The floors that fail or are blocked now, one panel each, with their own sentence and the cause they establish. */
final class FindingList extends VBox {

    private final Texts texts;
    private final Consumer<Subject> open;

    /** @param open shows a floor with its readings */
    FindingList(Texts texts, Consumer<Subject> open) {
        super(12);
        this.texts = texts;
        this.open = open;
    }

    void show(List<NowWords.Finding> findings) {
        getChildren().setAll(findings.stream().map(this::panel).toList());
    }

    private VBox panel(NowWords.Finding finding) {
        MarkIcon mark = new MarkIcon();
        mark.show(FloorView.markOf(finding.floor()), OptionalDouble.empty());
        Label where = styled("secondary", texts.get("about.where",
                texts.get("floor." + finding.floor().floor().wireName()), finding.card().host(), finding.card().name(),
                finding.floor().state().wireName()));
        HBox state = new HBox(6, mark, where);
        state.setAlignment(Pos.CENTER_LEFT);
        state.getStyleClass().add("floor-state");
        state.pseudoClassStateChanged(PseudoClass.getPseudoClass(finding.floor().state().wireName()), true);
        VBox panel = new VBox(8, state, styled("section", finding.floor().summary()));
        panel.getStyleClass().addAll("panel", "finding");
        finding.floor().trap().ifPresent(trap -> panel.getChildren().add(styled("code", texts.get("about.trap", trap))));
        Button readings = new Button(texts.get("now.doctor.readings"));
        readings.setOnAction(_ -> open.accept(new Subject(finding.card().id(), finding.floor().floor())));
        panel.getChildren().add(readings);
        return panel;
    }

    private static Label styled(String styleClass, String text) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        label.setWrapText(true);
        return label;
    }
}
