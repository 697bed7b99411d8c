package dev.pitwall.ui.board;

import dev.pitwall.engine.live.Wish;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.icon.MarkIcon;
import dev.pitwall.ui.page.Turns;
import dev.pitwall.ui.words.Texts;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.MenuButton;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The log of why: beside the cards, or in a small window one line below them that opens it. */
final class Why {

    /** An entry of one line. */
    private static final double LOWEST = 32;
    /** Share of the page that the opened log takes below the cards, and its bounds. */
    private static final double SHARE = 0.25;
    private static final double LEAST = 120;
    private static final double MOST = 240;

    private final Texts texts;
    private final Pane beside;
    private final Consumer<WhyLines.Filter> filter;
    private final VBox below = new VBox();
    private final VBox panel = new VBox();
    private final ListView<WhyLine> list = new ListView<>();
    private final GrowingList<WhyLine> lines;
    private final Button line = new Button();
    private final MarkIcon mark = new MarkIcon();
    private final Label title = Words.label("why-title");
    private final Label text = Words.label("why-text");
    private final Label at = Words.label("why-at");
    private final MenuButton menu = new MenuButton("", new FontIcon(Feather.FILTER));
    private final HBox bar = new HBox(line);
    private final HBox head = new HBox(8);
    private final FontIcon arrow = new FontIcon(Feather.CHEVRON_UP);
    private double page;
    private boolean narrow;
    private boolean opened;
    private boolean used;

    /**
     * @param beside where the log stands at the end of, if there is room
     * @param filter takes what of the log the person wants to see
     * @param turns  of all that works on the page
     */
    Why(Texts texts, Pane beside, Consumer<Wish> ask, Consumer<WhyLines.Filter> filter, Turns turns) {
        this.texts = texts;
        this.beside = beside;
        this.filter = filter;
        this.lines = new GrowingList<>(list, l -> l.entry().number(), LOWEST, turns);
        list.setCellFactory(_ -> new WhyCell(texts, ask));
        list.getStyleClass().add("why-list");
        list.setId("log");
        list.setAccessibleText(texts.get("board.why"));
        Label nothing = Words.label("shelf-nothing");
        nothing.setText(texts.get("board.why.none"));
        nothing.setWrapText(true);
        list.setPlaceholder(nothing);
        VBox.setVgrow(list, Priority.ALWAYS);
        panel.getStyleClass().add("why");
        line.setId("whyLine");
        line.getStyleClass().setAll("why-line");
        line.setMaxWidth(Double.MAX_VALUE);
        line.setMnemonicParsing(false);
        line.setGraphic(lineContent());
        HBox.setHgrow(line, Priority.ALWAYS);
        bar.getStyleClass().add("why-bar");
        fillMenu();
        fillHead();
        line.setOnAction(_ -> {
            opened = !opened;
            place();
        });
        place();
    }

    private void fillHead() {
        Label name = Words.label("section");
        name.setText(texts.get("board.why"));
        Label order = Words.label("secondary");
        order.setText(texts.get("board.why.order"));
        order.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(order, Priority.ALWAYS);
        head.getChildren().addAll(name, order);
        head.setAlignment(Pos.CENTER_LEFT);
        head.getStyleClass().add("why-head");
    }

    private void fillMenu() {
        menu.getStyleClass().add("flat-menu");
        menu.setAccessibleText(texts.get("board.why.filter"));
        menu.setTooltip(Words.tooltip(texts.get("board.why.filter")));
        ToggleGroup group = new ToggleGroup();
        for (WhyLines.Filter wanted : WhyLines.Filter.values()) {
            RadioMenuItem item = new RadioMenuItem(texts.get("board.why." + wanted.name().toLowerCase(Locale.ROOT)));
            item.setToggleGroup(group);
            item.setSelected(wanted == WhyLines.Filter.ALL);
            item.setOnAction(_ -> filter.accept(wanted));
            menu.getItems().add(item);
        }
    }

    private HBox lineContent() {
        Label name = Words.label("section");
        name.setText(texts.get("board.why"));
        name.setMinWidth(Label.USE_PREF_SIZE);
        text.setMaxWidth(Double.MAX_VALUE);
        at.setMinWidth(Label.USE_PREF_SIZE);
        HBox.setHgrow(text, Priority.ALWAYS);
        HBox content = new HBox(8, name, mark, title, text, at, arrow);
        content.setAlignment(Pos.CENTER_LEFT);
        content.getStyleClass().add("why-line-content");
        content.prefWidthProperty().bind(line.widthProperty().subtract(32));
        return content;
    }

    /** What stands below the cards. */
    VBox below() {
        return below;
    }

    void show(List<WhyLine> next) {
        lines.show(next);
        next.stream().findFirst().ifPresentOrElse(newest -> {
            mark.setVisible(true);
            mark.show(newest.mark(), newest.mark() == Mark.RING ? OptionalDouble.of(0.7) : OptionalDouble.empty());
            Words.tone(line, newest.tone());
            Words.set(title, newest.title());
            Words.set(text, newest.text());
            Words.set(at, newest.at());
        }, () -> {
            mark.setVisible(false);
            Words.set(title, "");
            Words.set(text, texts.get("board.why.none"));
            Words.set(at, "");
        });
        line.setAccessibleText(texts.get("board.why") + ": " + title.getText() + " " + text.getText());
    }

    /** Shows all entries now: for pictures. */
    void fillNow() {
        lines.fillNow();
    }

    void narrow(boolean is) {
        if (is != narrow) {
            narrow = is;
            opened = false;
            place();
        }
    }

    /** @param height of the page: the cards keep most of it while the log is open below them */
    void page(double height) {
        page = height;
        size();
    }

    private void size() {
        double height = narrow ? Math.round(Math.clamp(page * SHARE, LEAST, MOST)) : Region.USE_COMPUTED_SIZE;
        panel.setMinHeight(height);
        panel.setPrefHeight(height);
        panel.setMaxHeight(height);
    }

    /** Whether there is anything to log at all. */
    void visible(boolean is) {
        used = is;
        place();
    }

    /** Puts the log into its panel, with a head of its own or without. */
    private void inPanel(boolean headed) {
        head.getChildren().remove(menu);
        bar.getChildren().remove(menu);
        if (headed) {
            head.getChildren().add(menu);
        }
        panel.getChildren().setAll(headed ? List.of(head, list) : List.of(list));
    }

    private void place() {
        beside.getChildren().remove(panel);
        below.getChildren().clear();
        size();
        arrow.setIconCode(opened ? Feather.CHEVRON_DOWN : Feather.CHEVRON_UP);
        if (!used) {
            return;
        }
        if (!narrow) {
            inPanel(true);
            beside.getChildren().add(panel);
            return;
        }
        below.getChildren().add(bar);
        // Below the cards the line that opened it is its head.
        inPanel(false);
        bar.getChildren().setAll(opened ? List.of(line, menu) : List.of(line));
        if (opened) {
            below.getChildren().add(panel);
        }
    }
}
