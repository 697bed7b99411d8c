package dev.pitwall.ui.shell;

import dev.pitwall.site.SiteView;
import dev.pitwall.ui.words.Texts;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import javafx.beans.value.ChangeListener;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import org.controlsfx.control.PopOver;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** The connections at the right of the title bar, and behind them the list with what fails and what to do. */
final class ConnectionDots {

    private static final double LIST_WIDTH = 420;
    private static final double LIST_TALLEST = 420;
    /** Letters of an age like {@code 59 s}. */
    private static final int STEADY_AGE = 4;
    /** Width of a letter of JetBrains Mono at 11 px. */
    private static final double AGE_LETTER = 6.6;

    private final Button button;
    private final Texts texts;
    private final HBox content = new HBox(16);
    private List<List<Dot>> known = List.of();
    private double knownRoom;
    private Scene knownScene;
    private List<Dot> drawn = List.of();
    private final PopoverPanel panel = new PopoverPanel();

    ConnectionDots(Button button, Texts texts) {
        this.button = button;
        this.texts = texts;
        content.setAlignment(Pos.CENTER_RIGHT);
        button.setGraphic(content);
    }

    /**
     * Shows the first of these ways that fits, or the last.
     *
     * @param ways the fullest first
     * @param room in pixels
     */
    void show(List<List<Dot>> ways, double room) {
        Scene scene = button.getScene();
        // Outside a scene nothing has a size; in another one everything is measured anew.
        if (scene == null || ways.equals(known) && room == knownRoom && scene == knownScene) {
            return;
        }
        knownScene = scene;
        known = ways;
        knownRoom = room;
        for (List<Dot> way : ways) {
            draw(way);
            if (width() <= room) {
                break;
            }
        }
        button.setAccessibleText(texts.get("dots.spoken", String.join(", ",
                ways.stream().limit(1).flatMap(List::stream).map(d -> d.label() + " " + d.age()).toList())));
    }

    private void draw(List<Dot> dots) {
        boolean sameShape = dots.size() == drawn.size() && IntStream.range(0, dots.size())
                .allMatch(i -> dots.get(i).state() == drawn.get(i).state());
        if (sameShape) {
            for (int i = 0; i < dots.size(); i++) {
                relabel((HBox) content.getChildren().get(i), dots.get(i));
            }
        } else {
            content.getChildren().setAll(dots.stream().map(this::node).toList());
        }
        drawn = dots;
    }

    /** What is drawn needs this much, in pixels. Ages count as long as they get, so that a tick changes nothing. */
    private double width() {
        // Without its style a label would be measured in another font.
        button.applyCss();
        int spare = drawn.stream().mapToInt(d -> Math.max(0, STEADY_AGE - d.age().length())).sum();
        return content.prefWidth(-1) + spare * AGE_LETTER;
    }

    void openList(Optional<OpenSite> site, InstantSource clock) {
        site.ifPresent(s -> {
            ConnectionList list = new ConnectionList(s, clock, texts);
            ChangeListener<SiteView> follow = (_, _, view) -> list.show(view);
            s.viewProperty().addListener(follow);
            ScrollPane scroll = new ScrollPane(list);
            scroll.setFitToWidth(true);
            scroll.setMaxHeight(LIST_TALLEST);
            scroll.getStyleClass().add("plain-scroll");
            scroll.setPrefWidth(LIST_WIDTH);
            panel.show(button, scroll, PopOver.ArrowLocation.TOP_RIGHT, () -> s.viewProperty().removeListener(follow));
        });
    }

    private HBox node(Dot dot) {
        Label label = label(dot.label(), "dot-label");
        Label age = label(dot.age(), "dot-age");
        label.setMinWidth(Region.USE_PREF_SIZE);
        age.setMinWidth(Region.USE_PREF_SIZE);
        HBox box = new HBox(6, shape(dot.state()), label, age);
        box.setAlignment(Pos.CENTER_LEFT);
        box.getStyleClass().add("dot-item");
        box.pseudoClassStateChanged(pseudo(dot.state()), true);
        return box;
    }

    private static void relabel(HBox box, Dot dot) {
        ((Label) box.getChildren().get(1)).setText(dot.label());
        ((Label) box.getChildren().get(2)).setText(dot.age());
    }

    /** The shape and colour of a state. */
    static Node shape(Dot.State state) {
        Node shape = switch (state) {
            case FAILING -> new FontIcon(Feather.ALERT_TRIANGLE);
            case STALE -> new FontIcon(Feather.CLOCK);
            case LIVE, READING -> new Region();
        };
        shape.getStyleClass().add("dot");
        shape.pseudoClassStateChanged(pseudo(state), true);
        return shape;
    }

    private static PseudoClass pseudo(Dot.State state) {
        return PseudoClass.getPseudoClass(state.name().toLowerCase(Locale.ROOT));
    }

    private static Label label(String text, String styleClass) {
        Label label = new Label(text);
        label.getStyleClass().add(styleClass);
        return label;
    }
}
