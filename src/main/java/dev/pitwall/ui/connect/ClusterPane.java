package dev.pitwall.ui.connect;

import dev.pitwall.card.Trouble;
import dev.pitwall.site.KubeconfigCatalog.ContextEntry;
import dev.pitwall.site.KubeconfigCatalog.Found;
import dev.pitwall.ui.icon.Mark;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.words.Texts;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.RadioButton;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.stage.FileChooser;

/** The form of the cluster: a kubeconfig and a context of it. */
final class ClusterPane implements SystemPane {
    private final Texts texts;
    private final ClusterEntry entry;
    private final ProofPane proof;
    private final Node node;
    private List<Found> drawn = List.of();
    private boolean filling;

    @FXML private VBox found;
    @FXML private Label nothing;
    @FXML private TextField files;
    @FXML private Button pick;
    @FXML private ChoiceBox<String> context;
    @FXML private Label server;
    @FXML private HBox trouble;
    @FXML private Label troubleWhat;
    @FXML private Label troubleNext;
    @FXML private VBox proofPlace;

    ClusterPane(Tools tools, ConnectModel model) {
        this.texts = tools.texts();
        this.entry = model.entries().cluster();
        this.proof = new ProofPane(tools, model);
        this.node = Fxml.load("connect-cluster", this, texts);
    }

    @FXML
    private void initialize() {
        proofPlace.getChildren().setAll(proof.node());
        files.textProperty().bindBidirectional(entry.filesProperty());
        pick.setOnAction(_ -> {
            FileChooser chooser = new FileChooser();
            chooser.setTitle(texts.get("connect.cluster.pick"));
            Optional.ofNullable(chooser.showOpenMultipleDialog(node.getScene().getWindow()))
                    .map(all -> all.stream().map(File::getPath).collect(Collectors.joining(File.pathSeparator)))
                    .ifPresent(files::setText);
        });
        context.valueProperty().addListener((_, _, chosen) -> {
            if (!filling && chosen != null) {
                entry.contextProperty().set(chosen);
            }
        });
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public Node firstFocus() {
        return files;
    }

    @Override
    public void draw() {
        drawFound();
        List<String> names = entry.chosen().map(Found::contexts).orElse(List.of()).stream().map(ContextEntry::name)
                .toList();
        filling = true;
        if (!names.equals(context.getItems())) {
            context.getItems().setAll(names);
        }
        context.setValue(entry.contextEntry().map(ContextEntry::name).orElse(null));
        filling = false;
        context.setDisable(names.size() < 2);
        server.setText(entry.contextEntry().map(c -> texts.get("connect.cluster.server", c.server(), c.auth()))
                .orElse(""));
        Optional<Trouble> why = entry.chosen().flatMap(Found::trouble)
                .or(() -> entry.contextEntry().flatMap(ContextEntry::trouble));
        trouble.setVisible(entry.filled() && why.isPresent());
        why.ifPresent(t -> {
            troubleWhat.setText(t.sentence());
            troubleNext.setText(t.next());
        });
        proof.draw(entry.filled() && why.isEmpty() ? Optional.of(entry) : Optional.empty());
    }

    private void drawFound() {
        nothing.setVisible(entry.found().isEmpty());
        found.setVisible(!entry.found().isEmpty());
        found.setManaged(!entry.found().isEmpty());
        if (!entry.found().equals(drawn)) {
            drawn = entry.found();
            found.getChildren().setAll(drawn.stream().map(this::row).toList());
        }
        for (int i = 0; i < drawn.size(); i++) {
            boolean chosen = entry.isChosen(drawn.get(i));
            found.getChildren().get(i).lookupAll(".radio-button").forEach(n -> ((RadioButton) n).setSelected(chosen));
        }
    }

    private Node row(Found one) {
        RadioButton choose = new RadioButton(one.origin());
        choose.setMnemonicParsing(false);
        choose.getStyleClass().add("connect-found-name");
        choose.setDisable(one.trouble().isPresent());
        choose.setOnAction(_ -> entry.choose(one));
        Label paths = new Label(one.files().stream().map(Object::toString)
                .collect(Collectors.joining(File.pathSeparator)));
        paths.getStyleClass().add("code");
        paths.setMinWidth(0);
        Label contexts = new Label(one.trouble().map(t -> t.what() + ". " + t.next()).orElseGet(() ->
                texts.count("connect.cluster.contexts", one.contexts().size()) + one.contexts().stream()
                        .map(ContextEntry::server).distinct().limit(1).map(s -> " · " + s)
                        .collect(Collectors.joining())));
        contexts.getStyleClass().add("secondary");
        contexts.setWrapText(true);
        VBox words = new VBox(paths, contexts);
        HBox.setHgrow(words, Priority.ALWAYS);
        StackPane mark = Marks.place();
        if (one.trouble().isPresent()) {
            mark.getChildren().setAll(Marks.icon(Mark.FAILING));
            Marks.colour(mark, Mark.FAILING);
        }
        HBox row = new HBox(choose, words, mark);
        row.getStyleClass().add("connect-found");
        row.setMinHeight(Region.USE_PREF_SIZE);
        return row;
    }
}
