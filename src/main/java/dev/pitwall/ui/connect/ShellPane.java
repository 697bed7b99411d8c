package dev.pitwall.ui.connect;

import dev.pitwall.site.Reachability.Peer;
import dev.pitwall.site.ShellAccess.Role;
import dev.pitwall.ui.shell.Fxml;
import dev.pitwall.ui.words.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;

/** The form of the machines that are reached over SSH. */
final class ShellPane implements SystemPane {
    private final Texts texts;
    private final ConnectModel model;
    private final EntryTabs tabs;
    private final ProofPane proof;
    private final LoginForm shared;
    private final LoginForm own;
    private final Node node;
    private final Rebinding<String> nameField;
    private final Rebinding<String> hostField;
    private final Rebinding<String> portField;
    private final Rebinding<Role> roleField;
    private final Rebinding<Boolean> ownField;
    private boolean fillingJumps;

    @FXML private VBox sharedPlace;
    @FXML private HBox offer;
    @FXML private Label offerText;
    @FXML private Button takeOffer;
    @FXML private VBox tabsPlace;
    @FXML private Button add;
    @FXML private Label none;
    @FXML private VBox machine;
    @FXML private TextField name;
    @FXML private TextField host;
    @FXML private TextField port;
    @FXML private ChoiceBox<Role> role;
    @FXML private ChoiceBox<String> jump;
    @FXML private CheckBox ownLogin;
    @FXML private VBox ownPlace;
    @FXML private VBox proofPlace;

    ShellPane(Tools tools, ConnectModel model) {
        this.texts = tools.texts();
        this.model = model;
        this.tabs = new EntryTabs(texts, model);
        this.proof = new ProofPane(tools, model);
        this.shared = new LoginForm(texts, model, "login");
        this.own = new LoginForm(texts, model, "own-login");
        this.node = Fxml.load("connect-ssh", this, texts);
        this.nameField = new Rebinding<>(name.textProperty());
        this.hostField = new Rebinding<>(host.textProperty());
        this.portField = new Rebinding<>(port.textProperty());
        this.roleField = new Rebinding<>(role.valueProperty());
        this.ownField = new Rebinding<>(ownLogin.selectedProperty());
    }

    @FXML
    private void initialize() {
        sharedPlace.getChildren().setAll(shared.node());
        ownPlace.getChildren().setAll(own.node());
        tabsPlace.getChildren().setAll(tabs.node());
        proofPlace.getChildren().setAll(proof.node());
        role.getItems().setAll(Role.values());
        role.setConverter(new StringConverter<>() {
            @Override
            public String toString(Role value) {
                return value == null ? "" : texts.get("connect.role." + value.name().toLowerCase(Locale.ROOT));
            }

            @Override
            public Role fromString(String text) {
                throw new UnsupportedOperationException("nothing is typed into it");
            }
        });
        add.setOnAction(_ -> {
            model.show(model.entries().addShell());
            name.requestFocus();
        });
        takeOffer.setOnAction(_ -> {
            model.entries().addOfferedShells();
            model.choose(SystemKind.SSH);
        });
        jump.valueProperty().addListener((_, _, chosen) -> {
            if (!fillingJumps) {
                entry().ifPresent(e -> e.jumpProperty().set(noJump().equals(chosen) ? "" : chosen));
            }
        });
    }

    private String noJump() {
        return texts.get("connect.jump.none");
    }

    private Optional<ShellEntry> entry() {
        return model.entries().shells().stream().filter(e -> model.current().filter(c -> c == e).isPresent())
                .findFirst();
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public Node firstFocus() {
        return add;
    }

    @Override
    public void draw() {
        List<ShellEntry> all = model.entries().shells();
        shared.draw(model.entries().shellLogin());
        List<Peer> offers = model.entries().shellsToOffer();
        offer.setVisible(!offers.isEmpty());
        offerText.setText(texts.get("connect.ssh.offer",
                offers.stream().map(Peer::name).collect(Collectors.joining(", "))));
        takeOffer.setText(texts.count("connect.ssh.take", offers.size()));
        tabs.draw(all);
        none.setVisible(all.isEmpty());
        Optional<ShellEntry> entry = entry();
        machine.setVisible(entry.isPresent());
        entry.ifPresent(this::draw);
        proof.draw(entry);
    }

    private void draw(ShellEntry entry) {
        nameField.to(entry.nameProperty());
        hostField.to(entry.hostProperty());
        portField.to(entry.portProperty());
        roleField.to(entry.roleProperty());
        ownField.to(entry.ownLoginProperty());
        ownPlace.setVisible(entry.ownLoginProperty().get());
        own.draw(entry.own());
        fillJumps(entry);
    }

    private void fillJumps(ShellEntry entry) {
        List<String> jumps = new ArrayList<>(List.of(noJump()));
        model.entries().shells().stream().filter(e -> e != entry && !e.title().isEmpty()
                && e.jumpProperty().get().isEmpty()).map(ShellEntry::title).forEach(jumps::add);
        String chosen = entry.jumpProperty().get().isEmpty() ? noJump() : entry.jumpProperty().get();
        fillingJumps = true;
        if (!jumps.equals(jump.getItems())) {
            jump.getItems().setAll(jumps);
        }
        jump.setValue(chosen);
        fillingJumps = false;
    }
}
