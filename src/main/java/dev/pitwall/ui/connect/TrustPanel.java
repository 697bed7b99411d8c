package dev.pitwall.ui.connect;

import dev.pitwall.site.Identity;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.words.Texts;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.beans.property.StringProperty;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextArea;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.text.Text;
import javafx.scene.text.TextFlow;

/** Compares what a system sent of itself with what its console shows. The comparing is Pitwall's, not the eye's. */
final class TrustPanel {
    private static final DateTimeFormatter MONTH =
            DateTimeFormatter.ofPattern("MMM uuuu", Locale.ENGLISH).withZone(ZoneId.systemDefault());

    private final Texts texts;
    private final ConnectModel model;
    private final Node node;
    private Optional<StringProperty> bound = Optional.empty();

    @FXML private Label title;
    @FXML private Label text;
    @FXML private Label kind;
    @FXML private VBox sent;
    @FXML private Label subject;
    @FXML private Label until;
    @FXML private Label pastedBy;
    @FXML private TextArea paste;
    @FXML private VBox pasted;
    @FXML private StackPane verdictMark;
    @FXML private Label verdict;
    @FXML private HBox verdictLine;
    @FXML private Label where;
    @FXML private Label command;
    @FXML private Button pasteAgain;
    @FXML private Button copy;
    @FXML private Button anyway;

    TrustPanel(Texts texts, ConnectModel model) {
        this.texts = texts;
        this.model = model;
        this.node = Fxml.load("connect-trust", this, texts);
    }

    @FXML
    private void initialize() {
        copy.setOnAction(_ -> {
            ClipboardContent content = new ClipboardContent();
            content.putString(command.getText());
            Clipboard.getSystemClipboard().setContent(content);
            copy.setText(texts.get("connect.trust.copied"));
        });
        pasteAgain.setOnAction(_ -> {
            paste.clear();
            paste.requestFocus();
        });
        anyway.setOnAction(_ -> model.trust());
    }

    Node node() {
        return node;
    }

    void draw(Entry entry) {
        bind(entry);
        Identity identity = entry.trial().identity().orElseThrow();
        boolean decided = !entry.asks();
        title.setText(texts.get("connect.trust.title", entry.title()));
        text.setText(texts.get(entry.identityChanged() ? "connect.trust.changed"
                : decided ? "connect.trust.done" : "connect.trust.first"));
        kind.setText(identity.kind());
        lines(sent, identity.fingerprint(), List.of());
        subject.setText(identity.subject().orElse(""));
        until.setText(identity.validUntil().map(t -> texts.get("connect.trust.until", MONTH.format(t))).orElse(""));
        where.setText(texts.get("connect.trust.console", entry.title()));
        command.setText(identity.command());
        compare(entry.comparison(), decided);
        anyway.setVisible(!decided && entry.comparison() instanceof Comparison.Nothing && !entry.identityChanged());
    }

    private void bind(Entry entry) {
        if (bound.filter(p -> p == entry.pastedProperty()).isEmpty()) {
            bound.ifPresent(paste.textProperty()::unbindBidirectional);
            paste.textProperty().bindBidirectional(entry.pastedProperty());
            bound = Optional.of(entry.pastedProperty());
            copy.setText(texts.get("connect.trust.copy"));
        }
    }

    private void compare(Comparison comparison, boolean decided) {
        switch (comparison) {
            case Comparison.Nothing _ -> {
                showPasted(false);
                verdict(Mark.CLOCK, decided ? texts.get("connect.trust.trusted") : texts.get("connect.trust.waits"));
                Marks.colour(verdictLine, decided ? Mark.MINUS : Mark.CLOCK);
            }
            case Comparison.NoFingerprint _ -> {
                showPasted(false);
                verdict(Mark.FAILING, texts.get("connect.trust.none"));
            }
            case Comparison.Equal(Fingerprint other) -> {
                showPasted(true);
                lines(pasted, other.text(), List.of());
                verdict(Mark.OK, texts.get("connect.trust.equal"));
            }
            case Comparison.Differs(Fingerprint other, List<Integer> places) -> {
                showPasted(true);
                lines(pasted, other.text(), places);
                verdict(Mark.FAILING, places.size() > 6 ? texts.count("connect.trust.differ", places.size())
                        : texts.get("connect.trust.differ.at", places.stream().map(String::valueOf)
                                .collect(Collectors.joining(", "))));
            }
        }
    }

    private void showPasted(boolean recognised) {
        pasted.setVisible(recognised);
        paste.setVisible(!recognised);
        pasteAgain.setVisible(recognised);
        pastedBy.setText(texts.get(recognised ? "connect.trust.pasted" : "connect.trust.paste"));
    }

    private void verdict(Mark mark, String words) {
        verdictMark.getChildren().setAll(Marks.icon(mark));
        Marks.colour(verdictLine, mark);
        verdict.setText(words);
    }

    /** @param wrong bytes to mark, counted from 1 */
    private static void lines(VBox place, String fingerprint, List<Integer> wrong) {
        List<Node> lines = new ArrayList<>();
        int at = 0;
        for (List<String> groups : Fingerprint.in(fingerprint).orElseThrow().lines()) {
            HBox line = new HBox();
            line.getStyleClass().add("fingerprint-line");
            for (String group : groups) {
                TextFlow flow = new TextFlow();
                String[] bytes = group.startsWith("SHA256:") ? new String[] {group} : group.split(":");
                for (int i = 0; i < bytes.length; i++) {
                    at++;
                    Text text = new Text(bytes[i]);
                    text.getStyleClass().add("fingerprint-byte");
                    text.pseudoClassStateChanged(PseudoClass.getPseudoClass("differs"), wrong.contains(at)
                            || bytes.length == 1 && !wrong.isEmpty());
                    flow.getChildren().add(text);
                    if (i < bytes.length - 1) {
                        Text colon = new Text(":");
                        colon.getStyleClass().add("fingerprint-byte");
                        flow.getChildren().add(colon);
                    }
                }
                line.getChildren().add(flow);
            }
            lines.add(line);
        }
        place.getChildren().setAll(lines);
    }
}
