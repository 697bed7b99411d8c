package dev.pitwall.ui.connect;

import dev.pitwall.card.Trouble;
import dev.pitwall.site.Hop;
import dev.pitwall.ui.icon.Mark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.text.Text;
import javafx.scene.text.TextFlow;

/** The hops of a test, one a row; a refused one says what and what next. */
final class HopRows {
    private static final PseudoClass REFUSED = PseudoClass.getPseudoClass("refused");
    /** What stands in quotes in a trouble is for a terminal. */
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");

    private final VBox rows = new VBox();
    private List<Hop> drawn = List.of();

    HopRows() {
        rows.getStyleClass().addAll("panel", "connect-hops");
    }

    Node node() {
        return rows;
    }

    void draw(List<Hop> hops) {
        if (hops.equals(drawn)) {
            return;
        }
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < hops.size(); i++) {
            boolean same = i < drawn.size() && i < rows.getChildren().size() && drawn.get(i).equals(hops.get(i));
            nodes.add(same ? rows.getChildren().get(i) : row(hops.get(i)));
        }
        rows.getChildren().setAll(nodes);
        drawn = List.copyOf(hops);
    }

    private static Node row(Hop hop) {
        StackPane mark = Marks.place();
        mark.getChildren().setAll(Marks.icon(mark(hop)));
        Marks.colour(mark, hop.state() == Hop.State.TO_DO ? Mark.MINUS : mark(hop));
        Label name = new Label(hop.name());
        name.getStyleClass().add("connect-hop-name");
        TextFlow text = new TextFlow(words(hop).toArray(Node[]::new));
        text.getStyleClass().add("connect-hop-text");
        HBox.setHgrow(text, Priority.ALWAYS);
        Label took = new Label(hop.took().map(HopRows::time).orElse(""));
        took.getStyleClass().addAll("age", "connect-hop-time");
        HBox row = new HBox(mark, name, text, took);
        row.getStyleClass().add("connect-hop");
        row.setAlignment(Pos.TOP_LEFT);
        row.pseudoClassStateChanged(REFUSED, hop.state() == Hop.State.REFUSED);
        row.setAccessibleRole(AccessibleRole.TEXT);
        row.setAccessibleText(hop.name() + ", " + hop.state().name().toLowerCase().replace('_', ' ') + ": "
                + hop.trouble().map(t -> t.what() + ". " + t.next()).orElse(hop.text()));
        return row;
    }

    private static Mark mark(Hop hop) {
        return switch (hop.state()) {
            case OK -> Mark.OK;
            case RUNNING -> Mark.RING;
            case ASKS, TO_DO -> Mark.CLOCK;
            case REFUSED -> Mark.FAILING;
        };
    }

    private static List<Text> words(Hop hop) {
        List<Text> words = new ArrayList<>();
        hop.trouble().ifPresentOrElse(trouble -> {
            split(sentence(trouble), "connect-hop-what", words);
            words.add(text(" ", "connect-hop-next"));
            split(trouble.next(), "connect-hop-next", words);
        }, () -> words.add(text(hop.text(), "connect-hop-next")));
        return words;
    }

    private static String sentence(Trouble trouble) {
        String what = trouble.what();
        return what.isEmpty() ? what : Character.toUpperCase(what.charAt(0)) + what.substring(1)
                + (what.endsWith(".") ? "" : ".");
    }

    private static void split(String sentence, String style, List<Text> into) {
        Matcher quoted = QUOTED.matcher(sentence);
        int at = 0;
        while (quoted.find()) {
            into.add(text(sentence.substring(at, quoted.start()), style));
            into.add(text(quoted.group(1), "connect-hop-code"));
            at = quoted.end();
        }
        into.add(text(sentence.substring(at), style));
    }

    private static Text text(String words, String style) {
        Text text = new Text(words);
        text.getStyleClass().add(style);
        return text;
    }

    private static String time(Duration took) {
        return took.toMillis() < 10_000 ? Math.max(1, took.toMillis()) + " ms" : took.toSeconds() + " s";
    }
}
